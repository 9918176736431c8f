from .double import Double
from .never import Never
from .wrong import Wrong

__all__ = ["Double", "Never", "Wrong"]
