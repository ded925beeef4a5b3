X = 1
# café, in Latin-1
Y = 012
