def f():
    A = 'a', "b", '', ""
    B = 'it\'s', "\"", 'a"b', "a'b"
    C = '''x
y''', """a"b""c""", ''''q'''
    D = 'a' "b" r'\n' u"c"
    E = '\\ \a\b\f\n\r\t\v \101 \7 \x41 \u00e9 \U0001F600'
    F = 'one \
line'
    G = ('a'
     'b')
    H = R'\d', r"\"", 'é', "\0"
