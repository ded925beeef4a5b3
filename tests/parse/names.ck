def größe(λ, _x1, 数):
    match = λ
    case = type = 数
    print(match, case, "x")
    True_ = True; none = None; notx = False
    self.inner = and_
