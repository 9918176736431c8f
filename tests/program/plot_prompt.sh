# :plot: kernels, buffers, figures, variables, expressions, options.
cat >"$TMP/in" <<'END'
:plot
f = tl.jit(function(A)  local N = T.const "N"  A: T.Tensor({N}, T.float32)  for bx in T.Kernel(2, {threads = 64}) do  local s = T.alloc_shared({64}, T.float32)  T.copy(A[bx * 64], s)  T.copy(s, A[bx * 64])  end  end)
:plot f
k = f:compile{N = 128}
:plot
:plot k {block = {1}}
:plot shared
:plot k grid
got = tl.ones{4, 4}; want = tl.zeros{4, 4};
:plot got want
:plot got {values = true}
:plot tl.arange(3)
:plot {1, 2}
:plot k stages
:plot stagse
:plot nosuch
:plot got want {rtl = 1}
:plot 1 +
END
"$MOONTILE" -i -t cpu <"$TMP/in" 2>&1
