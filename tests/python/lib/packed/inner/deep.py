from ..leaf import value
from ... import packed
from . import deep as self

up = value + 1
