# The same in Chinese.
"$MOONTILE" -i --lang zh --color never 2>&1 <<'END'
a = tl.zeros({4, 4})
a[9, 0]
T.clear(a)
for i in range(3):
print(i) end
b = tl.zeros({4}))
a.shap
unknown_name
unknown_name + 1
local f = function(x) return x.y.z end
f({})
:nosuchcommand
:limit soon
end
add = tl.jit(function(A) A: T.Tensor({4, 4}, T.float32) for bx in T.Kernel(4) do A[bx] = 1 end end)
add(a)
END
echo "exit $?"
