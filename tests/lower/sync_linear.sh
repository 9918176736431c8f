# Barriers of loops of many statements are found in a time that grows with them: also those that a later round lacks, and
# fences (sm_90a).
cat >"$TMP/many.lua" <<'END'
local k = tl.jit(function(A, B)
  A: T.Tensor({64, 1024}, T.float16)
  B: T.Tensor({1024, 64}, T.float16)
  local C = T.empty({64, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local Bs = T.alloc_shared({32, 64}, T.float16)
    local Cl, R = T.alloc_fragment({64, 64}, T.float32), T.alloc_fragment({64, 32}, T.float32)
    T.clear(Cl) T.clear(R)
    for k in T.serial(8) do
      for s = 1, tonumber(os.getenv "MANY") do
        local As = T.alloc_shared({64, 32}, T.float16)
        T.copy(A[0, (k + s % 24) * 32], As)
        T.copy(B[(k + s % 24) * 32, 0], Bs)
        T.gemm(As, Bs, Cl)
        for i, j in T.Parallel(64, 32) do R[i, j] = R[i, j] * 2 + As[i, j] end
      end
    end
    for i, j in T.Parallel(64, 32) do Cl[i, j] = Cl[i, j] + R[i, j] end
    T.copy(Cl, C)
  end
  return C
end, {target = "cuda -arch=sm_90a"})
local clock, text = os.clock(), nil
text = k:compile{}:get_kernel_source()
print(select(2, text:gsub("__syncthreads", "")) > tonumber(os.getenv "MANY"), os.clock() - clock)
END
few=$(MANY=50 "$MOONTILE" "$TMP/many.lua" 2>&1)
many=$(MANY=800 "$MOONTILE" "$TMP/many.lua" 2>&1)
echo "${few%%	*} ${many%%	*}"
awk -v few="${few##*	}" -v many="${many##*	}" 'BEGIN { print many < 60 * few + 2 ? "linear" : "not linear: " few " s, then " many " s" }'
