# compile: each kernel of a file as text, nothing launched.
cp lib/kernels.lua "$TMP"
cd "$TMP" || exit
echo 'double(ones) double(ones) double(tl.ones({64}, "float32")) spin(zero) print("ran", zero)' >>kernels.lua
run() { echo "\$ moontile $*"; "$MOONTILE" "$@"; echo "[$?]"; }
run compile kernels.lua --emit ir
run compile --emit c -o out kernels.lua
for f in out/*.c; do
    cc -fsyntax-only -w "$f" && echo "$f compiles"
done
run compile kernels.lua --emit ir --json -o out
# Nothing is compared with a reference here, so products are not computed, sums are.
cat kernels.lua - >reference.lua <<'END'
local x = tl.ones({1, 1, 4, 4})
print(tl.ref.sum(x), tl.ref.sum(tl.ref.matmul(x, x)), tl.ref.sum(tl.ref.attention(x, x, x)))
END
"$MOONTILE" compile reference.lua --emit ir -o out 2>&1 >/dev/null | tail -n 1
# A name with what would move the cursor is shown, not sent to the terminal.
"$MOONTILE" compile kernels.lua --emit ir -o "$(printf 'o\033[31m')" 2>/dev/null | head -n 1
echo 'x = 1' >none.lua
run compile none.lua --emit c
echo 'x = = 1' >wrong.lua
run compile wrong.lua --emit c
