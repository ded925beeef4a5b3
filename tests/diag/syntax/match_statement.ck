def f(a):
    match a:
        case 1:
            return 1
        case _:
            return 2
