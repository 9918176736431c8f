import tilelang.language as T
from no_such_package.ops import fast

T.Kernel
