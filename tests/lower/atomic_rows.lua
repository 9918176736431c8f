-- Rows of a table's choosing: four elements in one atomic, lanes side by side in a row, one condition for the four;
-- and such rows loaded.  Values against plain Lua, with places outside.
local ROWS, N, COLS = 16, 40, 64
local function kernel(A, I)
  A: T.Tensor({N, COLS}, "float32")
  I: T.Tensor({ROWS}, "int32")
  local S, C = T.empty({N, COLS}, "float32"), T.empty({ROWS, COLS}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({ROWS, COLS}, "float32")
    for i, j in T.Parallel(ROWS, COLS) do s[i, j] = A[I[i], j] end
    T.copy(s, C)
    for i, j in T.Parallel(N, COLS) do S[i, j] = 0 end
    T.sync_threads()
    for i, j in T.Parallel(ROWS, COLS // 4) do T.atomic_addx4(S[I[i], j * 4], s[i, j * 4]) end
  end
  return S, C
end
for line in tl.jit(kernel, {target = "cuda -arch=sm_90a"}):compile({}):get_kernel_source():gmatch "[^\n]+" do
  if line:find "atomic_sum_float32_x4%(&" or line:find "_v = " or line:find "} else" then
    print((line:gsub("^ +", ""):gsub(", [^,]*s%[.*", ", ..")))
  end
end
local a, x, rows, sums = {}, {}, {}, {}
for i = 0, N * COLS - 1 do a[i + 1] = i % 23 sums[i] = 0 end
for i = 0, ROWS - 1 do rows[i] = (i * 7 - 9) % 61 - 5 x[i + 1] = rows[i] end
local want = {}
for i = 0, ROWS - 1 do
  for j = 0, COLS - 1 do
    local inside = rows[i] >= 0 and rows[i] < N
    local v = inside and a[rows[i] * COLS + j + 1] or 0
    want[i * COLS + j] = v
    if inside then sums[rows[i] * COLS + j] = sums[rows[i] * COLS + j] + v end
  end
end
for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_80", "sim -arch=gfx942", "cpu"} do
  local S, C = tl.jit(kernel, {target = target})(tl.from_table(a, "float32"):reshape(N, COLS), tl.from_table(x, "int32"))
  local wrong = 0
  for i = 0, N * COLS - 1 do if S[i // COLS][i % COLS] ~= sums[i] then wrong = wrong + 1 end end
  for i = 0, ROWS * COLS - 1 do if C[i // COLS][i % COLS] ~= want[i] then wrong = wrong + 1 end end
  print(target, wrong .. " wrong")
end
