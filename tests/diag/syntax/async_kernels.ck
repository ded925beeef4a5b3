@cuda.jit
async def marked(a):
    a[0] = 1


async def without_await(x):
    return x


@cuda.jit
def calls_it(a):
    a[0] = without_await(1)


# Host code may have them.
import web

app = web.App()


@app.get("/")
async def handler(request):
    async with request.session() as s:
        await s.text()


async def unused():
    await handler(1)


async for line in lines:
    print(line)
