from .. import leaf
from .deep import up
