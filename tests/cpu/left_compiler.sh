# A compiler that goes on for minutes ends with the program that started it, however that was ended.
cat >"$TMP/cc" <<'END'
#!/bin/sh
case "$*" in *" -o "*) ;; *) exec cc "$@" ;; esac
cat >"$TMP/source"
sleep 600 &
echo $! >>"$TMP/begun"
wait
END
chmod +x "$TMP/cc"
cat >"$TMP/k.lua" <<'END'
local k = tl.jit(function(A)
  A: T.Tensor({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do A[i] = A[i] + 17 end
  end
end)
k(tl.ones({64}))
END
for signal in TERM HUP KILL; do
    : >"$TMP/begun"
    CC=$TMP/cc MOONTILE_CACHE_DIR=$TMP/cache "$MOONTILE" -t cpu "$TMP/k.lua" >/dev/null 2>&1 &
    program=$!
    until [ -s "$TMP/begun" ]; do sleep 0.05; done
    kill -$signal $program
    { wait $program; } 2>/dev/null
    while grep -qs '^State:.[^ZX]' "/proc/$(head -n 1 "$TMP/begun")/status"; do sleep 0.05; done
    echo "$signal: nothing is left"
done
