# Blocks of C: one error for a statement, wherever its braces stand.
@kernel
def own_lines(x: int32[:], n: int32):
    if (n > 3)
    {
        x[0] = 1;
        return;
    }
    else if (n > 2)
    {
        while (n)
        {
            break;
        }
    }
    else
    {
        x[0] = 2;
    }
    for (int i = 0; i < n; ++i)
    {
        x[i] = 1;
    }
    x[1] = misspelt

@kernel
def headers(x: int32[:], n: int32):
    if (n > 3) {
        x[0] = 1;
    }
    else {
        x[0] = 2;
    }
    while (n) {
        if (n > 3) {
            return;
        }
    }
    x[1] = misspelt

__global__ void module_level(float *x, int n)
{
    if (n)
    {
        return;
    }
}

@kernel
def after(x: int32[:]):
    x[1] = misspelt
