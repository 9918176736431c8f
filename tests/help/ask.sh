# ?x, x? and ??x at the prompt: kernels, functions, tensors, layouts, numbers, what is not
# known; both languages; not a colour where none is wanted, and colours where they are.
: "${TMP:?}"
cd "$TMP" || exit
cat >defs <<'X'
add = tl.jit(function(A, B, BM)
  local M = T.const "M"
  A: T.Tensor({M}, T.float32)
  B: T.Tensor({M}, T.float32)
  local C = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM)) do
    for i in T.Parallel(BM) do
      C[bx * BM + i] = A[bx * BM + i] + B[bx * BM + i]
    end
  end
  return C
end)
X
cat defs - >in <<'X'
?add
t = tl.arange(0, 12):reshape {3, 4};
u = tl.arange(4, "float32")
add(u, u, 4);
k = add.last
frag = tl.layout.mma("m16n8k16", "C");
point = {x = 1, y = "two"}
function twice(n) return 2 * n end
?add
?k
??k
t?
?t.T
frag?
?point
?point.y
??twice
?print
?1 + 1
?"float16"
?k:bench
?k:bnech
?t:rehsape
?ponit
?nosuch.field
:lang zh
?k
?t
?ponit
X
"$MOONTILE" -t cpu -i <in 2>&1
echo "[$?]"
echo "--- colours"
printf '?1\n?locals\n' | "$MOONTILE" --color always -i | sed -n 2p | od -An -c | head -1
printf '?locals\n' | NO_COLOR=1 "$MOONTILE" -i | grep -c "$(printf '\033')"
