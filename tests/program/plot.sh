# moontile plot: files, expressions, figures, formats, exit statuses.
cd "$TMP" || exit 1
plot() { "$MOONTILE" plot "$@"; echo "[status $?]"; }
cat >f.lua <<'END'
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    local s = T.alloc_shared({64}, T.float32)
    T.copy(A[bx * 64], s)
    for i in T.Parallel(64) do
      B[bx * 64 + i] = s[63 - i]
    end
  end
  return B
end)
local function clear(N)
  return tl.jit(function(A)
    A: T.Tensor({N}, T.float32)
    for bx in T.Kernel(2) do
      for i in T.Parallel(32) do A[bx * 32 + i] = 0 end
    end
  end)
end
print(f(tl.ones {256})[0])   -- goes to stderr, and nothing runs
f(tl.ones {512})
clear(64)(tl.ones {64})
END
echo "--- each kernel once"
plot f.lua 2>/dev/null
echo "--- one kernel, another machine"
plot f.lua --kernel f -t "sim -arch=sm_90a" 2>/dev/null
echo "--- WHAT; kernels without it are passed over"
plot f.lua shared
echo "--- options"
plot f.lua --kernel f '{block = {3}}' 2>/dev/null
echo "--- an expression, narrow"
plot 'tl.arange(4)' --width 40
echo "--- Chinese"
plot --lang zh '{1, 2}' '{unicode = false}' --width 40
echo "--- JSON"
"$MOONTILE" plot 'tl.arange(4)' --json >one.json
"$MOONTILE" plot f.lua --json >two.json 2>/dev/null
"$MOONTILE" plot f.lua shared --kernel f --json >three.json 2>/dev/null
"$MOONTILE" -e 'local json = require "moontile.tl.json"
local function read(name) local f <close> = io.open(name) return json.decode(f:read "a") end
print(read "one.json".title, #read "two.json", read "two.json"[2].title, #read "three.json".panels)'
echo "--- SVG"
plot 'tl.arange(4)' --svg x.svg
plot f.lua --svg y.svg 2>/dev/null
for f in x.svg y-f.svg y-clear.svg; do head -c 4 $f; tail -n 1 $f | tail -c 7; done
ls
plot 'tl.arange(4)' --svg nowhere/x.svg
echo "--- what is wrong"
plot
plot none.lua
plot .
plot 'nosuch'
plot '1 +'
plot f.lua stagse
plot f.lua stages
plot f.lua --kernel g
plot f.lua shared '{}' more
plot 'tl.arange(4)' '{valeus = true}'
plot 'tl.arange(4)' --width wide
echo 'print "no kernels"' >e.lua
plot e.lua
"$MOONTILE" compile f.lua --emit ir --svg x.svg
echo "[status $?]"
