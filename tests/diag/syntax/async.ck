async def f(a):
    await a


def g(a):
    await a
    async for x in a:
        pass
    async with a:
        pass
    async def h():
        return 1
    x = [i async for i in a]
