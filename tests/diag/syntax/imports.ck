from . import x
from ..a import b
from a.b import (c, d
import a as
from a import b as
import a.
from a import (b c)
from a import
import math b
from import x
