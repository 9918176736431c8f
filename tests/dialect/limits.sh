# Limits of Lua's own that generated programs meet: what it is, the line, and what to do.
short='s/^\( *[0-9]* | .\{60\}\).*/\1/'
head='local f = tl.jit(function(A)\n  A: T.Tensor({64}, T.int32)\n  for bx in T.Kernel(1) do'
tail='  end\nend)\nf:compile(tl.zeros({64}, "int32"))\nprint "ok"'
repeat() { # repeat N FORMAT: N lines of it, each with its number twice
    awk -v n="$1" -v f="$2" 'BEGIN { for (i = 0; i < n; i++) printf f "\n", i, i }'
}
try() { # try NAME N FORMAT [AROUND..]
    { printf "$head\n"; repeat "$2" "$3"; printf "$tail\n"; } >"$TMP/$1.lua"
    for lang in en zh; do
        echo "== $1 $lang"
        "$MOONTILE" --lang $lang "$TMP/$1.lua" 2>&1 | sed -e "s#$TMP/##" -e "$short"
    done
}
try loops 7000 '    for i in T.serial(2) do A[i] = A[i] + 1 end'
try whiles 7000 '    while A[0] < %d do A[0] += %d end'
try locals 250 '    local v%d = %d + A[0]'
list() { repeat "$1" "$2" | tr '\n' ' '; }
{ printf "$head\n    print("; list 300 'A[0],'; printf "0)\n$tail\n"; } >"$TMP/values.lua"
{ printf "$head\n    if "; list 3000 'A[0] > 1 and'; printf "A[1] > 2 then A[0] = 1 end\n$tail\n"; } >"$TMP/deep.lua"
{
    for k in 1 2; do
        printf 'local function g%d()\nlocal ' $k
        list 150 "u$k%d,"
        printf 'last\n'
    done
    printf 'return function() return '
    for k in 1 2; do list 150 "u$k%d +"; done
    printf '0 end end end\n'
} >"$TMP/upvalues.lua"
for name in values deep upvalues; do
    for lang in en zh; do
        echo "== $name $lang"
        "$MOONTILE" --lang $lang "$TMP/$name.lua" 2>&1 | sed -e "s#$TMP/##" -e "$short"
    done
done
echo "== what the messages propose"
cat >"$TMP/good.lua" <<'END'
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    for n = 1, 300 do
      for i in T.serial(2) do A[i] = A[i] + n end
    end
    local function part()
      for i in T.serial(2) do A[i] = A[i] + 5 end
    end
    part()
    do
      local a = A[1] + 1
      A[1] = a
    end
  end
end)
local a = tl.zeros({64}, "int32")
f(a)
print(a[1], a[2])
END
"$MOONTILE" "$TMP/good.lua"
echo "== load() gives Lua's own words"
"$MOONTILE" -e 'print(select(2, load("return f(" .. ("1,"):rep(300) .. "1)")):match ": (.*)")'
