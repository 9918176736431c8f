# :load, :reload: files that changed run again, and say which kernels are new.
cd "$TMP" || exit 1
kernel() { # NAME VALUE
    printf 'local %s = tl.jit(function(A)\n  A: T.Tensor({16}, T.float32)\n' "$1"
    printf '  for bx in T.Kernel(1) do T.fill(A, %s) end\nend)\n' "$2"
}
{ kernel a 1; kernel b 1; } >one.lua
{ echo '#!/usr/bin/env moontile'; kernel c 1; echo 'print "two"'; } >two.lua
cat >in.txt <<X
:reload
:load
:load one.lua
:load two.lua
:load nosuch.lua
:load nosuch
:reload
:! sed -i '3s/1) end/5) end/' one.lua
:reload
:versions a
:reload two.lua
:reload nosuch.lua
local n = 3
:! echo 'error "broken"' >> two.lua
:reload
:! sed -i '\$d' two.lua
:reload
:! rm one.lua
:reload
:lang zh
:reload
:reload two.lua
X
"$MOONTILE" --lang en -i 2>&1 <in.txt | sed 's/[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/HH:MM:SS/'
