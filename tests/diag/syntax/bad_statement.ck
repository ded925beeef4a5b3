def f(a):
    else:
        pass
    elif a:
        x = 1
    if a: if b: pass
    x = 1; while x: pass
    break
    for i in range(2):
        continue
    continue
    import math
    x = 1;; y = 2
