-- Programs that C500 and CDNA do not have: messages, by lines of the program.
local function try(target, text)
  local ok, err = pcall(function()
    return tl.from_ir(text, {target = target, name = "@kernel.lua"}):get_kernel_source()
  end)
  print(ok and "printed" or err)
end
local head = [[
file 1 "@refused.lua"
kernel refused(A) machine %s
  buffer A: global float32[128]
  launch bx in 2 threads tid in 128 shared=1024 do @1
    alloc s: shared float32[128] at=0 @2
    s[tid] = A[tid] @3
    %s @4
    A[tid] = s[127 - tid] @5
  end
end
]]
for _, m in ipairs {{"hip -arch=gfx942", "gfx942"}, {"maca -arch=c500", "c500"}} do
  try(m[1], head:format(m[2], "call sync_threads(1, 64)"))
  try(m[1], head:format(m[2], "bar_sync id=1 count=64"))
  try(m[1], head:format(m[2], "call sync_threads(1, 128)"))
end

-- 8-bit floats where no matrix instruction takes them
local f = tl.jit(function(A, B)
  A: T.Tensor({64, 32}, T.float8_e4m3fn)
  B: T.Tensor({32, 64}, T.float8_e5m2)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local As = T.alloc_shared({64, 32}, T.float8_e4m3fn)
    local Bs = T.alloc_shared({32, 64}, T.float8_e5m2)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.copy(A, As)
    T.copy(B, Bs)
    T.clear(Cl)
    T.gemm(As, Bs, Cl)
    T.copy(Cl, C)
  end
  return C
end)
f.opts.target = "maca -arch=c500 -build"
local ok, err = pcall(f.compile, f, {})
print(ok and #f:compile{}:get_kernel_source() > 1000 or err)
