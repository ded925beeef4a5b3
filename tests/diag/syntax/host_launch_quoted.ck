fill['a'](x)
