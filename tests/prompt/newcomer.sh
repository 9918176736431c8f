# What somebody types first who comes from Python, a shell or C: an answer, or one sentence that
# helps.  Each stands alone, at the prompt.
say() {
    while IFS= read -r line; do
        echo ">>> $line"
        echo "$line" | "$MOONTILE" -i --lang "$1" 2>&1 | grep -v -e '^ *[0-9]* | ' -e '^ *| *^*$'
    done
}
say en <<'END'
int("3")
float("3")
str(3)
len(x)
range(3)
list(1)
dict()
abs(-1)
min(1, 2)
isinstance(1, int)
enumerate({1})
zip({1}, {2})
sorted({2, 1})
sum({1, 2})
bool(1)
id(1)
type(x)
exit
quit
pass
help
np
foo
exit()
quit()
help()
np.zeros(3)
torch.randn(3, 4)
np.nothing(1)
f"a{x}"
f(3)
local a = T.int32 int("3")
local a = T.int32 abs(-1)
import numpy as np
import torch
from tilelang import T
import something
x += 1
x = 1 x += 1 print(x)
2 ** 2
1 != 2
not x
3 // 2
x++
x in {1}
"a" in x
if x in y then print(1) end
x is None
None
[1, 2]
"a" + "b"
"a" * 3
s = "a" s += "b"
x = {} x.append(1)
x = {} for k, v in x.items() do end
x = "a,b" x.split(",")
x = "a" print(x.upper())
for x in {1, 2} do print(x) end
for i in range(3): print(i)
if x > 1: print(x)
while False: pass
print("a", end="")
1_000
os.system("x")
END
say zh <<'END'
int("3")
exit
pass
import torch
x in {1}
1_000
END
echo ">>> own names"
printf 'exit = 3\nexit\nexit = nil\nlen = function(x) return #x end\nlen("abc")\n' | "$MOONTILE" -i 2>&1
echo ">>> in a kernel T comes first"
cat >"$TMP/k.lua" <<'END'
local k = tl.jit(function(A)
  A: T.Tensor({2}, T.int32)
  for bx in T.Kernel(1) do
    A[0] = min(1, bx)
  end
end)
k(tl.zeros({2}, "int32"))
END
"$MOONTILE" "$TMP/k.lua" 2>&1 | grep help
