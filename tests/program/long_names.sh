# Names of 5,000 characters: one rule for all targets; of 1,000 all take.
cd "$TMP"
for n in 1000 5000; do
    name=$(printf "%${n}s" | tr ' ' k)
    cat >kernel.lua <<EOF
local $name = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(2) do
    A[bx] = 1
  end
end)
$name(tl.zeros({16}))
EOF
    cat >variable.lua <<EOF
local f = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(2) do
    local $name = T.alloc_var(T.float32, 0)
    $name = A[bx]
    A[bx] = $name + 1
  end
end)
f(tl.zeros({16}))
EOF
    cat >parameter.lua <<EOF
local f = tl.jit(function($name)
  $name: T.Tensor({16}, T.float32)
  for bx in T.Kernel(2) do
    $name[bx] = bx
  end
end)
f(tl.zeros({16}))
EOF
    for f in kernel variable parameter; do
        for t in cpu "sim -arch=sm_90a" "sim -arch=gfx942"; do
            echo "--- $n, $f, $t"
            "$MOONTILE" -t "$t" $f.lua 2>&1 | grep -v '|'
        done
        [ $f = kernel ] && continue # the kernel's name is that of the file
        for t in cuda hip maca c; do
            echo "--- $n, $f, $t"
            "$MOONTILE" compile $f.lua --emit $t -o . 2>&1 | grep -v '|'
        done
    done
done
