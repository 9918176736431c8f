# Which inputs go on on the next line, and which are wrong at once.
session() { echo "---"; "$MOONTILE" -i 2>&1; }
for text in '1 +' 'a +' 'f(' 'T.gemm(a, b,' 'local t = {' 'x =' '[[abc' '--[[ c' \
    'function f()' 'for i = 1, 2 do' 'if x' 'return' 'x.' 'not' '{' '= 3' ')' 'x y' \
    "'abc" '"abc' 'end' 'a b(' '1 + + ' 'local' 'goto' '::' 'f"a' 'A[1,' 'x +='; do
    printf '%s\n' "$text" >"$TMP/one"
    printf '%s\n%s\n' "$text" ':quit 9' >"$TMP/two"
    # An input that goes on swallows the command.
    "$MOONTILE" -i <"$TMP/two" >/dev/null 2>&1
    if [ $? = 9 ]; then echo "complete    $text"; else echo "goes on     $text"; fi
done
session <<'X'
1 +
2
local t = {
  a = 1,
}
t
print [[two
lines]]
function add(a, b)
  return a +

    b
end
add(3, 4)
x = = 1
1 + * 2
local a <const> = 1; a = 2
for i = 1, 2 do
  print(i)
end
X
