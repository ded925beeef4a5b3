# Every thread's line is there, whole, in some order; up to 32 values in a line; in loops and in
# device functions; under a condition.

def show(k):
    print("thread", k, k * 0.5, k % 2 == 0)

@kernel
def all_threads(limit: int64):
    k = grid(1)
    if k < limit:
        show(k)

@kernel
def wide():
    for i in range(2):
        print(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
              28, 29, 30, "end")

#: launch all_threads[3, 2](5)
#: print-any thread 0 0.000000 True
#: print-any thread 1 0.500000 False
#: print-any thread 2 1.000000 True
#: print-any thread 3 1.500000 False
#: print-any thread 4 2.000000 True
#: launch wide[1, 1]()
#: print 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 end
#: print 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 end
