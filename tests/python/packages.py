# A package whose modules import each other by relative names: each runs once, whichever way it is named.
import lib.packed
import lib.packed.leaf
from lib.packed import deep, leaf
from lib.packed.inner import deep as again, leaf as beside

print(leaf is lib.packed.leaf, deep is again, beside is leaf)
print(deep.up, deep.value, leaf.late(), deep.packed is lib.packed, deep.self is deep)
print(leaf.__name__, deep.__name__)
