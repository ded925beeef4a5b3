def f(a, b):
    if a && b:
        pass
    if a || b:
        pass
    if a <> b:
        pass
    if !a:
        pass
    a++
    b--
    print "text"
    while (a < b) {
        a += 1
    }
    for i = 0; i < 10:
        pass
    x = a ? 1 : 2
    if (a = b):
        pass
