print("host code")
X = 1
X += 1
for i in range(3):
    print(i)
else:
    pass
if __name__ == "__main__":
    x = {1: 2}
elif y:
    pass
else:
    pass
while True: pass
return 1
assert X
Y = 2; f(Y)
else:
    pass
break
