def f(a):
    print("no end)
    print('no end either, \'', 'x)
    print("\x4")
    print('\u12', "\U00110000", '\ud800')
    print("\N{DEGREE SIGN}")
    print(br"bytes", ur"mixed")
    return """this one runs
to the end of the file
