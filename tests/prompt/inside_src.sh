# :src: the generated text at the lines it comes from.
cp lib/inside.lua "$TMP/k.lua"
cd "$TMP"
inside() { "$MOONTILE" -E -t cpu "$@" -i 2>&1; }
inside <<'EOF'
:load k.lua
:src k
:src k 14 cuda
:src 12 thread {target = "sim -arch=sm_80"}
:src k ir
:src k 15
:src k cud
:src k whatever
:src k 13 c {cells = "columns"}
EOF
echo "--- zh"
printf ':load k.lua\n:src k 17\n:src k 15\n:src k cud\n' | inside --lang zh
echo "--- from two files"
cat >m.lua <<'EOF'
return T.macro(function(X)
  for i in T.Parallel(32) do
    X[i] = X[i] * 2
  end
end)
EOF
cat >two.lua <<'EOF'
local double = dofile "m.lua"
two = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    local x = T.alloc_fragment({32}, T.float32)
    T.copy(A[bx * 32], x)
    double(x)
    T.copy(x, C[bx * 32])
  end
  return C
end):compile {N = 64}
EOF
printf ':load two.lua\n:src two\n:src two cuda\n:src two 3\n' | inside
echo "--- ptx, where there is a compiler"
mkdir bin
cat >bin/nvcc <<'EOF'
#!/bin/sh
# Lists the lines of the source that hold `mma`, with a line table.
for a; do case $a in *.cu) in=$a ;; *.out) out=$a ;; esac; done
grep -n 'mma_m16' "$in" | sed -e 's/^\([0-9]*\):.*/\t.loc\t1 \1 0\n\tmma.sync \1;/' -e 's/sync [0-9]*/sync/' >"$out"
EOF
chmod +x bin/nvcc
printf ':load k.lua\n:src k 14 ptx {target = "cuda -arch=sm_80"}\n' | PATH="$PWD/bin:$PATH" inside
rm bin/nvcc
printf ':load k.lua\n:src k ptx\n:src k sass\n' | PATH="$PWD/bin:/bin" inside
