# :layout and :owner at the prompt.
cat >"$TMP/k.lua" <<'X'
gemm = tl.jit(function(A, B)
  A: T.Tensor({64, 64}, "float16")
  B: T.Tensor({64, 64}, "float16")
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local As, Bs = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
    local Cl = T.alloc_fragment({64, 64}, "float32")
    T.clear(Cl)
    for ko in T.Pipelined(1, {num_stages = 1}) do
      T.copy(A, As)
      T.copy(B, Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C)
  end
  return C
end, {target = "sim -arch=sm_80"})
k = gemm:compile()
X
cd "$TMP" || exit
drive() {
  "$MOONTILE" "$@" -i 2>&1 <<'X'
:layout
:owner Cl 5 9
:load k.lua
:layout
:layout gemm Cl
:layout As {target = "c500"}
:layout k nothing
:layout k Cl twice
:owner Cl 5 9
:owner k Cl T37
:owner As 5 9
:owner As @1024
:owner As @100000
:owner Cl T128
:owner Cl 64 0
:owner Cl 5
:owner Cl x
:owner As T3
:owner
l = tl.layout.mma("m16n8k16", "C"):reduce(1)
:layout l
:owner l 3
X
}
drive
echo "-- zh"
drive --lang zh | grep -v '^  '
