# :save: the script has the session's kernels and variables, whatever was done in it.
cd "$TMP" || exit 1
cat >lib.lua <<'X'
#!/usr/bin/env moontile
local function double(v) return 2 * v end
local M = {double = double}
return M
X
cat >in.txt <<'X'
local a, b = 1, 2
a + b
local function late() return k0 end
local k0 <const> = 5
local k0 = 6
late()
_ * 2;
_6 // 2
error "not saved"
local a = a + 1
local a, c = 10, a
x, y = 3, 4
table.concat({a, b, c}, " ")
"text", 2
:load lib.lua
double(21)
:target cpu
local mm = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
local t = tl.zeros({16})
local function run() mm(t) return t[0] end
run()
mm = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 2) end
end)
run()
:revert mm@1
run()
:ir mm
return c
for i = 1, 2 do
  print("loop", i)
end
local u
late(), x, y, b, u
:save s.lua
:save s.lua
:save! s.lua
:save
:save no/such/folder.lua
:lang zh
:save s.lua
X
"$MOONTILE" --lang en -i <in.txt >first.txt 2>err.txt
cat err.txt
tail -4 first.txt
echo '--- s.lua'
cat s.lua
echo '--- runs'
"$MOONTILE" s.lua
echo '--- after :reset'
printf 'a = 1\n:reset\nlocal b = 2\n:save r.lua\n' | "$MOONTILE" --lang en -i
cat r.lua
echo '--- many locals'
{ i=0; while [ $i -lt 220 ]; do i=$((i + 1)); echo "local v$i = $i"; done
  printf 'v1 + v220\n:save many.lua\n'; } | "$MOONTILE" --lang en -i
"$MOONTILE" many.lua
