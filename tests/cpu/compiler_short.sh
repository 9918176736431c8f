# A C compiler that runs out of memory with its usual options gets a second try with fewer; what fails
# then is told as it is.
cd "$TMP" || exit 1
export MOONTILE_CACHE_DIR="$TMP/cache"
cat >one.lua <<'END'
local f = tl.jit(function(A)
  A: T.Tensor({4}, "float32")
  for bx in T.Kernel(1) do
    for i in T.Parallel(4) do A[i] = A[i] + 1 end
  end
end)
local a = tl.zeros({4}, "float32")
f(a)
print(a)
END
fake() { # when it works, what it says when not
    printf '#!/bin/sh\ncase " $* " in\n*" %s "*) exec gcc "$@";;\nesac\ncat >/dev/null\necho "%s" >&2\nexit 1\n' "$1" "$2" >cc-short
    chmod +x cc-short
}
run() { CC="$TMP/cc-short" "$MOONTILE" -t cpu one.lua 2>&1 | sed "s|$TMP|TMP|g"; }
for said in "cc1: out of memory allocating 65536 bytes" "during GIMPLE pass: vect: internal compiler error: here"; do
    rm -rf cache
    fake -O1 "$said"
    echo "--- $said"
    run
    echo "--- and from the cache"
    run
done
echo "--- never"
rm -rf cache
fake -never "cc1: out of memory allocating 65536 bytes"
run
