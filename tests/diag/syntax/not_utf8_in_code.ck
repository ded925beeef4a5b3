def f():
    X = "ÿ"
    Z = 1 € 2
