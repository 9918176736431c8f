-- Iterations of T.Parallel that meet in a part of an element, by a view of narrower ones, and in
-- fragments of a range of threads that is not the first; registers of such a range that hold nothing.
tl.set_target "sim -arch=sm_80"

local function try(name, k, ...)
  local ok, r = pcall(k, ...)
  print(name, ok and "right" or (tostring(r):match "E%d+[^\n]*"))
end

local function views(dtype, write, also)
  return tl.jit(assert(load(([[return function(X)
    X: T.Tensor({128}, T.int32)
    local O = T.empty({128}, T.int32)
    for bx in T.Kernel(1, {threads = 32}) do
      local F = T.alloc_shared({128}, T.int32)
      local V = T.view(F, {%d}, %q)
      T.copy(X, F)
      for i in T.Parallel(128) do
        %s
        %s
      end
      T.copy(F, O)
    end
    return O
  end]]):format(dtype == "int8" and 512 or 256, dtype, write, also), "=kernel"))())
end
local x = tl.arange(128, "int32")
for at = 79, 84 do
  try("byte " .. at, views("int8", "if X[i] == 5 then F[20] = i end", ("if X[i] == 100 then V[%d] = 1 end"):format(at)), x)
end
for at = 39, 42 do
  try("half " .. at, views("float16", "if X[i] == 5 then F[20] = i end", ("if X[i] == 100 then V[%d] = 1 end"):format(at)), x)
end
try("the same byte", views("int8", "if X[i] == 5 then F[20] = 0x01020304 end", "if X[i] == 100 then V[81] = 3 end"), x)
try("another byte", views("int8", "if X[i] == 5 then F[20] = 0x01020304 end", "if X[i] == 100 then V[81] = 4 end"), x)
try("what was there", views("int8", "if X[i] == 5 then F[20] = 20 end", "if X[i] == 100 then V[82] = 0 end"), x)

local function range(cond, body)
  return tl.jit(assert(load(([[return function(X)
    X: T.Tensor({128}, T.int32)
    local O = T.empty({128}, T.int32)
    for bx in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding()
      local S = T.alloc_shared({128}, T.int32)
      T.clear(S)
      if %s then
        local Q = T.alloc_fragment({128}, T.int32)
        %s
        for i in T.Parallel(128) do S[i] = Q[127 - i] + 1 end
      end
      T.sync_threads()
      for i in T.Parallel(128) do O[i] = S[i] end
    end
    return O
  end]]):format(cond, body), "=kernel"))())
end
for _, cond in ipairs {"tx < 32", "tx >= 32 and tx < 64", "tx // 32 == 2", "tx >= 64"} do
  try(cond .. ": meet", range(cond, "T.copy(X, Q) for i in T.Parallel(128) do Q[X[i] // 2] = X[i] end"), x)
  try(cond .. ": apart", range(cond, "T.copy(X, Q) for i in T.Parallel(128) do Q[127 - X[i]] = X[i] end"), x)
  try(cond .. ": no value", range(cond, "for i in T.Parallel(128) do if X[i] > 5 then Q[i] = X[i] end end"), x)
  try(cond .. ": values", range(cond, "for i in T.Parallel(128) do if X[i] > 5 then Q[i] = X[i] else Q[i] = 0 end end"), x)
end

-- Extents that only the call knows: what comes in other rounds is the same loop's.
local function open(head, at)
  return tl.jit(assert(load(([[return function(J, m)
    J: T.Tensor({64}, T.int32)
    m: T.int32
    local O = T.empty({128}, T.int32)
    for bx in T.Kernel(1, {threads = 32}) do
      T.fill(O, 0)
      for %s do O[%s] = i + 1 end
    end
    return O
  end]]):format(head, at), "=kernel"))())
end
local j = tl.arange(64, "int32")
j[34] = 0
for _, l in ipairs {{"i in T.Parallel(m)", "J[i]"}, {"i, k in T.Parallel(m, 2)", "J[i] * 2 + k"},
  {"k, i in T.Parallel(2, m)", "J[i] + k * 64"}} do
  try(l[1] .. ": meet", open(table.unpack(l)), j, 64)
  try(l[1] .. ": apart", open(table.unpack(l)), tl.arange(64, "int32"), 64)
  try(l[1] .. ": one round", open(table.unpack(l)), j, 34)
end
