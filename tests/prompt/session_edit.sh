# :edit: which file, which line, and what comes of it.  The editor is a script.
cd "$TMP" || exit 1
mkdir bin tmp
export TMPDIR="$TMP/tmp"
cat >bin/vi <<'X'
#!/bin/sh
for f; do :; done
f=${f%:[0-9]*}
echo "[$(basename "$0") $*]" | sed 's/ [^ ]*moontile-[A-Za-z0-9]*-/ TEMP-/'
sed -i "${EDIT:-s/1/2/}" "$f"
X
chmod +x bin/vi
for name in nano emacs code strange; do ln -s vi bin/$name; done
export PATH="$TMP/bin:$PATH" EDITOR=vi
unset VISUAL
cat >k.lua <<'X'
-- a file
local k = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
print("k.lua ran")
X
cat >in.txt <<'X'
:edit
:load k.lua
:edit k
:edit k
:versions k
local p = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
:edit p
:diff p
:history edit
x = 1
:edit
x
:set editor code
:edit p@1
:set editor emacs -nw
:edit k.lua
:set editor strange
:edit k.lua
:set editor false
:edit k.lua
:set editor auto
error "no"
:edit
local function f(a)
  return a + 1
end
:edit f
f(1)
:edit g
:edit T
:edit x
X
"$MOONTILE" --lang en -i 2>&1 <in.txt | sed -e 's/[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/HH:MM:SS/' \
    -e 's/^\(.*\): exit status/EDITOR: exit status/'
echo '--- $VISUAL first'
echo ':edit k.lua' | VISUAL=nano "$MOONTILE" --lang en -i 2>&1
echo '--- an error in a file'
printf 'local a = 1\nerror "here"\n' >bad.lua
printf ':load bad.lua\n:edit\n' | EDIT='s/error/print/' "$MOONTILE" --lang en -i 2>&1
ls tmp # nothing is left behind
