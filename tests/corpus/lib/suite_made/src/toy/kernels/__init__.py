from .double import Double
from .never import Never
from .older import Half
from .timed import Timed
from .wrong import Wrong

__all__ = ["Double", "Half", "Never", "Timed", "Wrong"]
