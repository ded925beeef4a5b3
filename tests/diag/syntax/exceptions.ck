def f(a):
    try:
        x = 1
        y = = 2
    except ValueError as e:
        x = 2
    except:
        x = 3
    else:
        x = 4
    finally:
        x = 5
    raise ValueError("x")


try:
    import cupy
except ImportError:
    cupy = None


def g(a):
    return a


def h(a):
    except:
        pass
    finally:
        pass


def r(a):
    raise 3
