-- What has no counterpart stays, as a comment, and is told.
-- not converted: import argparse  -- the module `argparse` has no counterpart in the dialect
-- not converted: import numpy as np  -- the module `numpy` has no counterpart in the dialect


-- not converted: parser = argparse.ArgumentParser()  -- `argparse.ArgumentParser` has no counterpart in the dialect
-- not converted: parser.add_argument(  -- `parser` was not converted either
--     "--m",
--     type=int,
-- )
-- not converted: args = parser.parse_args()  -- `parser` was not converted either
-- not converted: m = args.m  -- `args` was not converted either
m = 3
print(m)


-- not converted: class Thing:  -- a class has no counterpart in the dialect
--     def f(self):
--         return 1


-- not converted: try:  -- `try` has no counterpart in the dialect
--     x = 1
-- except ValueError:
--     x = 2
-- not converted: print(x)  -- `x` was not converted either


local function unknown(v, flag, t)
  -- not converted: first = v[0]  -- is `v` a list, whose indices begin at 1 in Lua, or a tensor, whose begin at 0?
  if flag then
    -- not converted: return first  -- `first` was not converted either
  end
  local w = flag or m
  -- not converted: y = torch.einsum("ij,jk->ik", t, t)  -- `torch.einsum` has no counterpart in the dialect
  -- not converted: n = m**w  -- `m**w` may be an integer power, and Lua's `^` gives a float
  -- not converted: return v == [1, 2] if flag else None  -- `v == [1, 2]` may be None or False, and Lua's `c and a or b` would go on to b then
end
-- not converted: with open("f") as f:  -- `with open("f")` has no counterpart in the dialect
--     print(f)
-- not converted: for k in {"a": 1}.items():  -- a loop over `{"a": 1}.items()` has no counterpart in the dialect
--     print(k)
for i = 0, 2 do
end
-- not converted: print(i)  -- `i` is read behind its loop, where Lua has no such variable
-- not converted: value = unknown.g(1, *[2], 3)  -- * in front of an argument that is not the last has no counterpart in the dialect
-- not converted: print([1, 2])  -- a list as text has no counterpart in the dialect
-- not converted: print(f"{m!r} {m:,}", end="")  -- the argument `sep, end, file` of `print` has no counterpart in the dialect





local late = tl.jit(function(A)
  A: T.Tensor({4}, "float32")
  local B = T.empty({4}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local S = T.alloc_shared({4}, "float32")

    local first = A[0]
    local n = 3
    -- not converted: n += S[0]  -- an expression that is computed where its name is read has no counterpart in the dialect
    local s = T.alloc_var("float32")
    s += A[1]
    local k = 1
    -- not converted: k += s  -- an expression that is computed where its name is read has no counterpart in the dialect
    -- not converted: k += first  -- `k` was not converted either
    -- not converted: S[0] = n  -- `n` was not converted either
    -- not converted: B[0] = k  -- `k` was not converted either
  end
  return B
end)
