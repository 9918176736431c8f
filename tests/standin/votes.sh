# Votes ask the lanes of their mask: what is printed for machines of 64 lanes gives what the simulator does.
. lib/standin.sh
use std
cat >"$TMP/votes.lua" <<'END'
local k = tl.jit(function(X)
  X: T.Tensor({128}, "int32")
  local C = T.empty({8, 128}, "int32")
  for _ in T.Kernel(1, {threads = 128}) do
    local tx = T.get_thread_binding()
    local m, v = T.alloc_var("int64", 0), T.alloc_var("int32", 0)
    m = T.match_any_sync(X[tx] % 3)
    v = X[tx]
    C[0, tx] = T.any_sync(v > 60, {mask = m})
    C[1, tx] = T.all_sync(v % 3 == 1, {mask = m})
    C[2, tx] = T.popcount(T.ballot_sync(v > 20, {mask = m}))
    C[3, tx] = T.popcount(T.match_any_sync(v % 6, {mask = m}))
    C[4, tx] = T.Select(T.match_all_sync(v % 3, {mask = m}) ~= 0, 1, 0)
    C[5, tx] = T.Select(T.match_all_sync(v % 2, {mask = m}) ~= 0, 1, 0)
    C[6, tx] = T.popcount(T.ballot(v > 20)) + T.all_sync(v > 0)
    C[7, tx] = 0
    if v % 5 == 2 then
      C[7, tx] = T.popcount(T.ballot_sync(v % 3 == 0, {mask = T.activemask()}))
    end
  end
  return C
end)
local x = tl.arange(128, "int32")
for _, t in ipairs {{"maca", "c500"}, {"hip", "gfx942"}} do
  local got = {}
  for i, target in ipairs {t[1], "sim -arch=" .. t[2]} do
    k.opts.target = target
    got[i] = k(x):to "cpu"
  end
  local differ = 0
  for i = 0, 7 do
    for j = 0, 127 do differ = differ + (got[1][i, j] == got[2][i, j] and 0 or 1) end
  end
  print(t[1], differ)
end
END
"$MOONTILE" --lang en "$TMP/votes.lua" 2>&1
