-- IR that nobody writes and anybody may send: each text compiles or is refused by name, on every machine.
local function kernel(head, body)
  return ("kernel k(A)\n%s  buffer A: global float32[64]\n  launch bx in 1 threads 128 do\n%s  end\nend\n"):format(head, body)
end

local cases = {
  {"nothing gives a scalar", kernel("  scalar n: int32\n", "A[0] = float32(n)\n")},
  {"nothing gives a buffer", kernel("  buffer W: global float32[64]\n", "W[0] = A[0]\nA[1] = W[0]\n")},
  {"a workspace", "kernel k(A)\n  buffer A: global float32[64]\n  alloc W: global float32[64]\n" ..
    "  launch bx in 1 threads 128 do\ncopy A -> W\ncopy W -> A\nend\nend\n"},
  {"no rounds over a fragment", kernel("", [[
alloc F: fragment float32[64]
copy A -> F
for i in parallel(-2147483648) do
  F[i] = 1
end
for k in serial(0) do
  for i in parallel(64) do
    F[i] = F[i] + k
  end
end
copy F -> A
]])},
  {"unrolled an unknown number of times", kernel("  dim n: int32 in 0..\n", [[
for i in unroll(n) do
  A[i] = 1
end
]])},
  {"rounds without end around elements that nobody knows", kernel("", [[
alloc F: fragment float32[64]
fill F, 0.0
for i in parallel(64) do
  F[int32(int64(i))] = A[i % 4]
  for k in unroll(1413713306) do
    for v in vectorized(128) do
      F[int32(int64(i))] = 1.0
    end
  end
end
copy F -> A
]])},
  {"a thread's element of a fragment in a vector loop", kernel("", [[
alloc F: fragment float32[64]
fill F, 0.0
for i in vectorized(1) do
  if A[i] < 3.0 then
    F[i] = 1.0
  end
end
copy F -> A
]]):gsub("threads 128", "threads tx in 128"):gsub("A%[i%] < 3.0", "tx < 3")},
  {"a layout that reaches no nest", kernel("", [[
alloc F: fragment float32[64] layout="[64] lane(0/32768:32*1) warp(0/1:4*1) reg(0/4:8192*1)"
alloc G: fragment float32[64] layout="[64] lane(0/1:32*1) warp(0/32:4*1)"
copy A -> F
for i in parallel(64) do
  G[i] = F[i]
end
copy G -> A
]])},
  {"no iteration in any block", kernel("", [[
alloc F: fragment float32[64]
copy A -> F
for i, j in parallel(bx >> 2, 4) do
  F[int32(A[j])] = 2.0
end
copy F -> A
]]):gsub("bx in 1", "bx in 4"):gsub("copy F %-> A", "if bx == 0 then\ncopy F -> A\nend")},
  {"elements that single threads name in a vector loop", kernel("", [[
alloc F: fragment float32[64]
copy A -> F
for i in vectorized(4) do
  F[tx % 16 * 4 + i] = float32(tx % 16)
end
for i in vectorized(4) do
  A[tx % 16 * 4 + i] = F[63 - (tx % 16 * 4 + i)]
end
]]):gsub("threads 128", "threads tx in 16")},
  {"elements that all threads name in a vector loop", kernel("", [[
alloc F: fragment float32[64]
alloc L: local float32[4]
copy A -> F
for i in vectorized(4) do
  A[i] = F[int32(A[i])]
  L[i] = F[3]
end
A[7] = L[2]
]])},
  {"a print of a fragment in a vector loop", kernel("", [[
alloc F: fragment float32[64]
copy A -> F
for i in vectorized(100) do
  for k in unroll(64) do
    print F
  end
end
]])},
  {"an assumption about each element of a vector", kernel("", [[
for i in parallel(64) do
  assume A[i] < 12.0
  A[i] = 1.0
end
]])},
  {"more iterations than can be numbered, of bounds that are known later", kernel("  dim n: int32 in 1..4096\n", [[
for a, b, i, j, k in parallel(n, n, 16, 100, 100) do
  if a + b + i + j + k == 0 then
    A[i] = 1.0
  end
end
]])},
  {"a condition of nothing in a pipelined loop", kernel("", [[
if tx < 5 then
  for k in pipelined(16) stages=2 do
    if k == 3 then
    end
  end
end
]]):gsub("threads 128", "threads tx in 128")},
  {"a step beyond a fragment", kernel("", [[
alloc F: fragment float32[32]
copy A[0 :+ 32] -> F
if A[33] > 2.0 then
  for i in parallel(32) do
    if float32(i) < A[34] then
      F[max(36, i) * i] = 1.5
    end
  end
end
copy F -> A[0 :+ 32]
]])},
  {"tiles that begin outside of their fragments", kernel("", [[
alloc S: shared float16[32, 32]
alloc G: fragment float16[32, 32]
alloc F: fragment float32[32, 32]
alloc R: fragment float32[32]
fill S, 0
fill G, 0
fill F, 0
fill R, 0
if A[0] > 2.0 then
  gemm S, S -> F[-1073741824 :+ 32, 0 :+ 32]
  gemm G[0 :+ 32, -32 :+ 32], S -> F
  reduce F[0 :+ 32, 64 :+ 32] -> R[-64 :+ 32] kind=sum dim=1
  copy R -> A[0 :+ 32]
end
copy F[0, 0 :+ 32] -> A[32 :+ 32]
]])},
}

for _, c in ipairs(cases) do
  local seen, order = {}, {}
  for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    local ok, why = pcall(tl.from_ir, c[2], {target = target})
    local says = ok and "compiles" or tostring(why):match "E%d+" or tostring(why)
    if not seen[says] then
      seen[says], order[#order + 1] = true, says
    end
  end
  print(c[1], table.concat(order, ", "))
end
