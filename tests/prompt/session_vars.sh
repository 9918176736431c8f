# :vars, :set, :reset, :history, :explain, :!
cat >"$TMP/in.txt" <<'X'
:vars
local n, s, flag = 3, "text", true
local 名 = 1
local t = tl.arange(12):reshape(3, 4)
local ones, none = tl.ones({2}, "float16"), tl.zeros({0})
local mask = tl.zeros({4}, "bool")
g = {1, 2, {3, {4}}}
chinese = "中文字符"
long = ("中文"):rep(60)
local function f() end
local k = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
k(tl.zeros({16}))
c = k:compile{}
p = T.prim_func(k.f)
l = tl.layout.cute("(8,4):(4,1)")
:vars
:vars n
:set width 50
:vars
:set width 5
:set width
:set width auto
:set color always
{1, "a"}
:set color none
{1, "a"}
:set colour none
:set col
:set u off
:set hints maybe
:set nosuch
:set time on
:set time off
:set limit x
:set limit 5
:set errors short
nosuch.x = 1
:set errors long
nosuch.x = 1
:explain
:explain E133
:explain e512
:explain E9999
:!echo from the shell
:!exit 3
:!
:history 3
:history arange
:history 0
:history nothing like it
:reset
:vars
_
:reset
:set lang zh
:set
:set color
:set color blau
:explain E133
:history 2
a = 1
:vars
:reset
X
cd "$TMP" || exit 1
unset EDITOR VISUAL COLORTERM
PATH=/usr/bin:/bin EDITOR=nano TERM=xterm-256color "$MOONTILE" --lang en -t cpu -i 2>&1 <in.txt
