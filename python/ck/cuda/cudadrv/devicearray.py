"""Device arrays, where Numba has them."""

from ck._device_array import DeviceNDArray, SharedNDArray

MappedNDArray = ManagedNDArray = SharedNDArray

__all__ = ["DeviceNDArray", "ManagedNDArray", "MappedNDArray"]
