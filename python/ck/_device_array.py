"""Arrays in the device's memory. NumPy's own views do the arithmetic of shapes and strides: a view
never touches elements, so its address may be a GPU's."""

import numpy as np

from ck import _core, _device


class _Holder:
    """What NumPy makes an array of, without reading it."""

    def __init__(self, address, shape, dtype, strides):
        self.__array_interface__ = {"data": (address, False), "shape": shape, "version": 3,
                                    "typestr": dtype.str, "strides": strides}


def _ghost(address, shape, dtype, strides=None):
    ghost = np.asarray(_Holder(address, shape, dtype, strides))
    return ghost.view(dtype) if dtype.names else ghost


def _address(ghost):
    return ghost.__array_interface__["data"][0]


def _span(array):
    """The first byte of an array's elements and the number of bytes to the end of the last."""
    low, high = 0, array.itemsize
    for extent, stride in zip(array.shape, array.strides):
        if extent == 0:
            return _address(array), 0
        reach = (extent - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    return _address(array) + low, high - low


def _is_dense(array):
    return array.flags.c_contiguous or array.flags.f_contiguous


class DeviceNDArray(_core.DeviceArray):
    """An array in the device's memory: `shape`, `dtype`, `strides` (bytes), `size`, `nbytes`, views
    by slices, and copies to and from the host. Kernels and other packages use it where it lies."""

    __array_priority__ = 100

    def __init__(self, ghost, owner, device, stream=0):
        self._ghost = ghost
        self._owner = owner
        self._device = device
        self.stream = stream
        interface = {"shape": ghost.shape, "typestr": ghost.dtype.str, "version": 3,
                     "data": (_address(ghost), False),
                     "strides": None if ghost.flags.c_contiguous else ghost.strides}
        if device.is_gpu:
            self.__cuda_array_interface__ = interface
            if type(owner) is _device.Allocation and owner.gpu is not None:
                self._set_gpu(owner.gpu)
        else:
            self.__array_interface__ = interface

    shape = property(lambda self: self._ghost.shape)
    dtype = property(lambda self: self._ghost.dtype)
    strides = property(lambda self: self._ghost.strides)
    size = property(lambda self: self._ghost.size)
    ndim = property(lambda self: self._ghost.ndim)
    nbytes = property(lambda self: self._ghost.nbytes)
    itemsize = property(lambda self: self._ghost.itemsize)
    T = property(lambda self: self._view(self._ghost.T))
    device_ctypes_pointer = property(lambda self: _pointer(self._ghost))

    @property
    def alloc_size(self):
        return _span(self._ghost)[1]

    def __len__(self):
        return len(self._ghost)

    def __repr__(self):
        return f"<ck.cuda array {self.shape} {self.dtype} on {self._device.spec}>"

    def _view(self, ghost):
        return DeviceNDArray(ghost, self._owner, self._device, self.stream)

    def __copy__(self):
        return self._view(self._ghost)

    def bind(self, stream=0):
        """A view whose `stream` is this one."""
        return DeviceNDArray(self._ghost, self._owner, self._device, stream)

    def get_ipc_handle(self):
        raise NotImplementedError("device arrays have no handle for other processes: share memory "
                                  "by PyTorch or CuPy")

    def is_c_contiguous(self):
        return self._ghost.flags.c_contiguous

    def is_f_contiguous(self):
        return self._ghost.flags.f_contiguous

    def reshape(self, *shape, order="C"):
        """A view of another shape; the array must be contiguous."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        contiguous = self.is_c_contiguous() if order == "C" else self.is_f_contiguous()
        if not contiguous:
            raise NotImplementedError("reshape would need a copy: the array is not contiguous")
        return self._view(self._ghost.reshape(shape, order=order))

    def ravel(self, order="C", stream=0):
        """A view of one dimension; the array must be contiguous."""
        return self.reshape(self.size, order=order)

    def squeeze(self, axis=None, stream=0):
        return self._view(self._ghost.squeeze(axis))

    def transpose(self, axes=None):
        return self._view(self._ghost.transpose(axes))

    def view(self, dtype):
        """A view of the same bytes as elements of another dtype."""
        return self._view(self._ghost.view(dtype))

    def split(self, section, stream=0):
        """Views of `section` elements each, of an array of one dimension."""
        return [self[at:at + section] for at in range(0, self.size, section)]

    # --- Elements ---

    def __getitem__(self, key):
        return self.getitem(key)

    def getitem(self, key, stream=0):
        """A view, or the element itself where the key leaves no dimension."""
        ghost = self._index(key)
        view = self._view(ghost)
        keys = key if isinstance(key, tuple) else (key,)
        if ghost.ndim == 0 and Ellipsis not in keys and not isinstance(key, str):
            return view.copy_to_host(stream=stream)[()]
        return view

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def setitem(self, key, value, stream=0):
        """Stores what NumPy could store there, from the host or the device."""
        view = self._view(self._index(key))
        if isinstance(value, DeviceNDArray) or hasattr(value, "__cuda_array_interface__"):
            view.copy_to_device(value, stream)
            return
        host = np.empty(view.shape, view.dtype)
        host[...] = value
        view.copy_to_device(host, stream)

    def _index(self, key):
        if isinstance(key, str) and self.dtype.names:
            return self._ghost[key]
        keys = key if isinstance(key, tuple) else (key,)
        for part in keys:
            plain = part is None or part is Ellipsis or isinstance(part, (int, np.integer, slice))
            if not plain or isinstance(part, bool):
                raise IndexError("device arrays are indexed by integers and slices, or by one field")
        if Ellipsis not in keys:  # an element stays an array of no dimension
            keys = (*keys, Ellipsis)
        return self._ghost[keys]

    # --- Copies ---

    def copy_to_host(self, ary=None, stream=0):
        """The elements in the host's memory: in `ary`, or in a new array, which is returned. With a
        stream the copy may go on after the call."""
        stream = _device.handle_of(stream)
        if ary is not None and (ary.shape != self.shape or ary.dtype != self.dtype):
            raise ValueError(f"{ary.dtype}{ary.shape} cannot hold {self.dtype}{self.shape}")
        if ary is not None and not ary.flags.writeable:
            raise ValueError("the array of the host is read-only")
        source, nbytes = _span(self._ghost)
        if ary is not None and _is_dense(self._ghost) and ary.strides == self.strides:
            self._device.copy(_address(ary), source, nbytes, stream)
            return ary
        block = np.empty(nbytes, np.uint8)
        self._device.copy(_address(block), source, nbytes, stream)
        if not (ary is None and _is_dense(self._ghost)):
            self._device.synchronize(stream)
        offset = _address(self._ghost) - source
        host = np.ndarray(self.shape, self.dtype, block, offset, self.strides) if nbytes else \
            np.empty(self.shape, self.dtype)
        if ary is None:
            return host if _is_dense(self._ghost) else host.copy()
        ary[...] = host
        return ary

    def copy_to_device(self, ary, stream=0):
        """Stores the elements of an array of the same shape, from the host or a GPU."""
        stream = _device.handle_of(stream)
        source = as_device(ary, self._device) if _lies_on(ary, self._device) else None
        ghost = source._ghost if source is not None else np.asarray(ary)
        if ghost.shape != self.shape:
            raise ValueError(f"an array of shape {ghost.shape} cannot be copied to {self.shape}")
        if source is None and ghost.dtype != self.dtype:
            ghost = ghost.astype(self.dtype)
        if ghost.dtype != self.dtype:
            raise TypeError(f"{ghost.dtype} elements on the device cannot be copied to {self.dtype}")
        to, nbytes = _span(self._ghost)
        if ghost.strides == self.strides and _is_dense(self._ghost):
            self._device.copy(to, _span(ghost)[0], nbytes, stream)
        elif source is None and _is_dense(self._ghost):
            host = np.asarray(ghost, order="C" if self.is_c_contiguous() else "F")
            self._device.copy(to, _address(host), nbytes, 0)
        else:
            host = source.copy_to_host() if source is not None else ghost
            self._store_strided(host)
        return self

    def _store_strided(self, host):
        """Stores elements with others between them: reads the bytes, and writes them changed."""
        to, nbytes = _span(self._ghost)
        if not nbytes:
            return
        block = np.empty(nbytes, np.uint8)
        self._device.copy(_address(block), to, nbytes)
        offset = _address(self._ghost) - to
        np.ndarray(self.shape, self.dtype, block, offset, self.strides)[...] = host
        self._device.copy(to, _address(block), nbytes)

    def __array__(self, dtype=None, copy=None):
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)


def _pointer(ghost):
    import ctypes

    return ctypes.c_uint64(_address(ghost))


def _lies_on(ary, device):
    if isinstance(ary, DeviceNDArray):
        return True
    return device.is_gpu and hasattr(ary, "__cuda_array_interface__")


def as_device(ary, device=None):
    """A device array of one of another package, where it lies."""
    if isinstance(ary, DeviceNDArray):
        return ary
    device = device or _device.current()
    interface = getattr(ary, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"{type(ary).__name__} has no __cuda_array_interface__")
    if not device.is_gpu:
        raise TypeError("the array lies in a GPU's memory, and the device is the CPU")
    dtype = getattr(ary, "dtype", None)
    if not isinstance(dtype, np.dtype) or not dtype.names:
        dtype = np.dtype(interface["typestr"])
    ghost = _ghost(interface["data"][0], tuple(interface["shape"]), dtype, interface.get("strides"))
    return DeviceNDArray(ghost, ary, device)


def _contiguous(shape, itemsize, order):
    strides, stride = [0] * len(shape), itemsize
    axes = range(len(shape)) if order == "F" else reversed(range(len(shape)))
    for axis in axes:
        strides[axis] = stride
        stride *= shape[axis]
    return tuple(strides)


def empty(shape, dtype=np.float64, strides=None, order="C", stream=0, managed=False):
    """A new array on the device, not initialised."""
    device = _device.current()
    dtype = np.dtype(dtype)
    shape = tuple(map(int, shape)) if hasattr(shape, "__iter__") else (int(shape),)
    if strides is None:
        strides = _contiguous(shape, dtype.itemsize, order)
    elif not hasattr(strides, "__iter__"):
        strides = (strides,)
    reach = 0 if 0 in shape else dtype.itemsize + sum((n - 1) * s for n, s in zip(shape, strides))
    make = device.allocate_managed if managed and device.is_gpu else device.allocate
    address, owner = make(max(reach, 1))
    return DeviceNDArray(_ghost(address, shape, dtype, tuple(strides)), owner, device, stream)


def empty_like(ary, stream=0):
    """A new array on the device with the shape, dtype and order of another."""
    order = "F" if _is_f_order(getattr(ary, "_ghost", ary)) else "C"
    return empty(ary.shape, ary.dtype, order=order, stream=stream)


def to_device(obj, stream=0, copy=True, to=None):
    """A copy of an array on the device: new, or in `to`."""
    if to is None and _lies_on(obj, _device.current()) and not copy:
        return as_device(obj)
    source = obj if hasattr(obj, "shape") else np.asarray(obj)
    if to is None:
        source = source if hasattr(source, "_ghost") else np.asarray(source) \
            if not hasattr(source, "__cuda_array_interface__") else as_device(source)
        to = empty_like(source, stream)
    if copy:
        to.copy_to_device(source, stream)
    return to


def _is_f_order(ary):
    return ary.flags.f_contiguous and not ary.flags.c_contiguous


def _host_array(allocate, shape, dtype, strides, order):
    """A NumPy array in memory that `allocate` makes, by its bytes."""
    dtype = np.dtype(dtype)
    shape = tuple(map(int, shape)) if hasattr(shape, "__iter__") else (int(shape),)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if strides is not None:
        strides = tuple(strides) if hasattr(strides, "__iter__") else (strides,)
        size = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
    address, owner = allocate(max(size, 1))
    holder = _Holder(address, shape, dtype, strides or _contiguous(shape, dtype.itemsize, order))
    holder.owner = owner  # NumPy keeps the holder as the array's base
    array = np.asarray(holder)
    return array.view(dtype) if dtype.names else array


def pinned_array(shape, dtype=np.float64, strides=None, order="C", flags=0):
    """A NumPy array in memory that a GPU copies from and to at full speed."""
    device = _device.current()
    allocate = (lambda size: device.allocate_pinned(size, flags)) if device.is_gpu else \
        device.allocate
    return _host_array(allocate, shape, dtype, strides, order)


def pinned_array_like(ary):
    """A pinned array with the shape, dtype and order of another."""
    return pinned_array(ary.shape, ary.dtype, order="F" if _is_f_order(ary) else "C")


class SharedNDArray(np.ndarray):
    """A NumPy array in memory that kernels on a GPU use where it lies: the host may use it when
    they have ended."""

    @property
    def __cuda_array_interface__(self):
        if not _device.current().is_gpu:
            raise AttributeError("the device is the CPU")
        return {**self.__array_interface__, "version": 3}

    def copy_to_host(self, ary=None, stream=0):
        """The elements in `ary`, or in a new array."""
        _device.current().synchronize(_device.handle_of(stream))
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary

    def copy_to_device(self, ary, stream=0):
        """Stores the elements of another array."""
        _device.current().synchronize(_device.handle_of(stream))
        self[...] = ary.copy_to_host() if hasattr(ary, "copy_to_host") else ary


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """An array that the driver moves between the GPU and the host: a NumPy array that kernels use
    where it lies."""
    device = _device.current()
    allocate = device.allocate_managed if device.is_gpu else device.allocate
    array = _host_array(allocate, shape, dtype, strides, order)
    return array.view(SharedNDArray)


_PORTABLE, _MAPPED, _WRITE_COMBINED = 1, 2, 4


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False,
                 wc=False):
    """A NumPy array in pinned memory, which kernels use where it lies, over the bus."""
    flags = _MAPPED | _PORTABLE * bool(portable) | _WRITE_COMBINED * bool(wc)
    return pinned_array(shape, dtype, strides, order, flags).view(SharedNDArray)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A mapped array with the shape, dtype and order of another."""
    return mapped_array(ary.shape, ary.dtype, order="F" if _is_f_order(ary) else "C", stream=stream,
                        portable=portable, wc=wc)
