# Sourced by the tests of this folder that need a cubin: skips (77) without NVRTC.
"$MOONTILE" --lang en -t "cuda -build -arch=sm_90a" -e 'tl.jit(function(A)
  A: T.Tensor({32}, "float32")
  for bx in T.Kernel(1) do A[0] = 1 end
end):compile()' >"$TMP/nvrtc" 2>&1
grep -q 'E42[01]' "$TMP/nvrtc" && { echo "no NVRTC"; exit 77; }
