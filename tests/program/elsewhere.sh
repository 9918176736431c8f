# A kernel of a file that is run from the command line: its errors name the file, also those
# of the run.  A kernel for a target that has no device here: all but the run works.
cd "$TMP" || exit
cat >bound.lua <<'END'
bound = tl.jit(function(A, I)
  A: T.Tensor({64}, T.float32)
  I: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({64}, T.float32)
    T.copy(A, x)
    for i in T.Parallel(64) do
      A[i] = x[I[i]]
    end
  end
end)
divides = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(64) do
      A[i] = 7 // A[i]
    end
  end
end)
END
for t in cpu sim; do
    "$MOONTILE" -t $t -e 'dofile "bound.lua" bound(tl.zeros {64}, tl.full({64}, 1000, "int32"))'
done
"$MOONTILE" -t cpu -e 'dofile "bound.lua" divides(tl.zeros({64}, "int32"))'
cat >retarget.lua <<'END'
local k = tl.jit(function(A)
  A: T.Tensor({64}, T.float16)
  local B = T.empty({64}, T.float16)
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, T.float16)
    T.copy(A, s)
    T.copy(s, B)
  end
  return B
end, {target = "cpu"}):compile {}
for _, t in ipairs {"cuda", "maca", "hip"} do
  local r = k:retarget(t)
  print(r.kernel_source:match "for [%w_]+", tostring(r):match "target (.-),", #r:ir "thread" > 0)
  local folder = os.getenv "TMP" .. "/" .. t
  print("exported", (pcall(r.export_sources, r, folder)))
  print("analyzed", r:analyze().machine)
  print("run", select(2, pcall(r, tl.zeros({64}, "float16"))).code)
end
END
export MOONTILE_CUDA_LIB=/nowhere/1 MOONTILE_MACA_LIB=/nowhere/2 MOONTILE_HIP_LIB=/nowhere/3
"$MOONTILE" retarget.lua
