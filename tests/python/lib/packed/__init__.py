from . import leaf
from .inner import deep

__all__ = ["leaf", "deep"]
print("packed runs once")
