-- What NVRTC alone gives: PTX, registers, an export; the chip is the one that was asked for, or
-- the usual one, which is said once.
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      A[i] = i
    end
  end
end)
local k = f:compile(tl.zeros({64}, "int32"))
local path = os.getenv "TMP" .. "/f.ptx"
for _, target in ipairs {"cuda", "cuda -arch=sm_80"} do
  local c = k:retarget(target)
  c:export_ptx(path)
  c:export_ptx(path)
  for line in io.lines(path) do
    if line:find "^%.target" then
      print(target, line)
    end
  end
  print("registers", c.n_regs > 0)
  print("files", #c:export(os.getenv "TMP" .. "/out"))
  print(pcall(c, tl.zeros({64}, "int32")))
end
k:retarget "cuda -arch=sm_75":show_ptx()
