"""Streams, events and the exception of failed calls of the driver, where Numba has them."""

from ck._core import Error as CudaAPIError
from ck._device import Event, Stream

__all__ = ["CudaAPIError", "Event", "Stream"]
