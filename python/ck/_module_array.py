"""Arrays of a module: memory on its device that its kernels know by name and that keeps its values
between launches."""

import numpy as np


class ModuleArray:
    """An array of a compiled module, `module.NAME`: `shape`, `dtype`, copies to and from the host,
    and elements by index. Kernels and other packages use one in global memory where it lies; on the
    CPU device numpy.asarray shares its memory. One in constant memory is `constant`: kernels only
    read it, and it has no address."""

    def __init__(self, module, name, dtype, shape, constant, on_gpu):
        self._module = module
        self.name = name
        self.dtype = np.dtype(dtype)
        self.shape = shape
        self.constant = bool(constant)
        if constant:
            return
        interface = {"shape": shape, "typestr": self.dtype.str, "version": 3, "strides": None,
                     "data": (module._array_address(name), False)}
        if self.dtype.names:
            interface["descr"] = self.dtype.descr
        if on_gpu:
            self.__cuda_array_interface__ = interface
        else:
            self.__array_interface__ = interface

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: int(np.prod(self.shape, dtype=np.int64)))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"<ck.ModuleArray {self.name}: {self.dtype}, shape {self.shape}>"

    def copy_to_host(self, ary=None):
        """The elements in the host's memory: in `ary`, or in a new array, which is returned."""
        host = np.empty(self.shape, self.dtype)
        self._module._read_array(self.name, host.ctypes.data, host.nbytes)
        if ary is None:
            return host
        if ary.shape != self.shape:
            raise ValueError(f"an array of shape {ary.shape} cannot hold one of {self.shape}")
        ary[...] = host
        return ary

    def copy_to_device(self, ary):
        """Stores the elements of an array of the same shape, cast to the dtype."""
        host = np.asarray(ary)
        if host.shape != self.shape:
            raise ValueError(f"an array of shape {host.shape} cannot be copied to {self.shape}")
        host = np.ascontiguousarray(host, self.dtype)
        self._module._write_array(self.name, host.ctypes.data, host.nbytes)

    def __getitem__(self, key):
        return self.copy_to_host()[key]

    def __setitem__(self, key, value):
        host = self.copy_to_host()
        host[key] = value
        self.copy_to_device(host)

    def __array__(self, dtype=None, copy=None):
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)
