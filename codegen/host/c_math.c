/* Math functions of compiled host code that the C library lacks or defines differently. */
#include "codegen/host/c_math.h"

#include <math.h>

float
ck_rt_lgammaf(float x)
{
    int sign;
    return lgammaf_r(x, &sign);
}

double
ck_rt_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}
