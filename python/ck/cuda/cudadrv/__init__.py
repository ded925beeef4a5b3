"""Names that programs import from Numba's modules of this name: `ck.cuda.cudadrv.driver` and
others. Programs written for ck have them from `ck.cuda` and `ck`."""
