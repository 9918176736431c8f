# Loops that one stage more fits, and those that it does not, in turn: how far that is tried, and that it is said.
cat >"$TMP/many.lua" <<'END'
local k = tl.jit(function(A, B)
  A: T.Tensor({64, 4096}, T.float16)
  B: T.Tensor({64, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local small, big = T.alloc_shared({64, 32}, T.float16), T.alloc_shared({64, 448}, T.float16)
    local r = T.alloc_fragment({64, 32}, T.float32)
    T.clear(r)
    for l = 1, tonumber(os.getenv "LOOPS") do
      local tile = l % 2 == 0 and small or big
      for k in T.Pipelined(8, {num_stages = 2}) do
        T.copy(A[0, k * (l % 2 == 0 and 32 or 448)], tile)
        for i, j in T.Parallel(64, 32) do r[i, j] = r[i, j] + tile[i, j] end
      end
    end
    T.copy(r, B[0, 0])
  end
end)
k(tl.zeros({64, 4096}, "float16"), tl.zeros({64, 64}, "float32"))
END
for n in 12 120; do
  echo "-- $n loops"
  LOOPS=$n "$MOONTILE" explain -t "sim -arch=sm_80" "$TMP/many.lua" | sed "s|$TMP/||" >"$TMP/said"
  grep -c "one stage more than" "$TMP/said"
  grep -A 4 "keep to their num_stages" "$TMP/said"
done
