# Each call of the run-time fails once, at its turn: there is an error, also where a result
# cannot be read back, or what is right; and the next call in the same session is right.
# tests/unit/standin_fail.c looks at what stays behind.
. lib/standin.sh
use std
export STANDIN_FAILED="$TMP/failed"
cat >"$TMP/two.lua" <<'END'
local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)
local x = tl.randn({300}, "float32")
local want = tl.ref.add(x, x)
local ok, y = pcall(function() local y = twice(x); return tl.allclose(y, want) end)
print(ok and (y and "right" or "WRONG") or tostring(y):match "error%[E%d+%]" or tostring(y))
ok, y = pcall(function() return tl.allclose(twice(x), want) end)
print(ok and y and "then right" or ok and "then WRONG" or tostring(y))
END
# Says what is none of these: an error, a right result; and behind an error the next call
# is right.
sweep() { # sweep TARGET ERROR
    n=1
    while
        rm -rf "$TMP/failed" "$TMP/cache"
        STANDIN_FAIL=$n STANDIN_FAIL_WITH=$2 MOONTILE_CACHE_DIR="$TMP/cache" \
            "$MOONTILE" --lang en -t "$1" "$TMP/two.lua" >"$TMP/out" 2>"$TMP/err"
        code=$?
        [ -e "$TMP/failed" ]
    do
        case "$code $(paste -sd, "$TMP/out")" in
        "0 error[E"*"],then right" | "0 right,then right") ;;
        "0 right,"*"error[E49"[23]"]"*) ;; # the second one's turn
        *) echo "$(cat "$TMP/failed"), call $n: exit status $code"; cat "$TMP/out" "$TMP/err" ;;
        esac
        n=$((n + 1))
    done
    [ $n -gt 25 ] && echo "$1: each call failed once with $2" || echo "$1: only $n calls"
}
for spec in "maca ErrorUnknown" "maca ErrorInvalidValue" "hip ErrorUnknown"; do
    sweep $spec
done
