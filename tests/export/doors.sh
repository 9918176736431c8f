# An export is whole or not there: what cannot be written is said with the reason and a
# failure, and neither a part of it nor an end of what somebody else has put there is left.
cat >"$TMP/big.lua" <<'X'
local dir, steps = ...
local sums = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do B[bx * 64 + i] = A[bx * 64 + i] end
    for r = 1, math.tointeger(steps) do
      for i in T.Parallel(64) do B[bx * 64 + i] += A[bx * 64 + i] * r end
    end
  end
  return B
end, {target = "cpu"})
local k = sums:compile{N = 64}
for _, path in ipairs(k:export(dir)) do print(path) end
X
cd "$TMP" || exit
long=$(printf 'a%.0s' $(seq 300))
export_to() { # FOLDER [STEPS]
    "$MOONTILE" --lang en big.lua "$1" "${2:-2}" 2>&1 | sed "s#$long#LONG#g" | grep -v '^ *[0-9]* |'
    left "$1"
}
left() { # what is there, and whether each file is as long as it was, or ends as it should
    [ ! -d "$1" ] || (cd "$1" && for f in * .[!.]*; do [ ! -e "$f" ] || echo "  $f: $(head -n 1 "$f" | cut -c1-40)"; done)
}
echo "== a folder that is made, and once more"
export_to deep/er/out | sed "s/float.*//"
export_to deep/er/out | grep -c '^deep'
echo "== a large kernel, whole"
"$MOONTILE" big.lua large 300 | wc -l
grep -c 'for (int' large/sums.c
tail -n 1 large/sums.thread.ir
echo "== the disk is full in the second file of a new folder, of one that is there"
(trap '' XFSZ; ulimit -f 32; export_to full 300)
mkdir there && echo mine >there/notes
(trap '' XFSZ; ulimit -f 32; export_to there 300)
echo "== and what an earlier one has written stays as it was"
export_to kept 2 >/dev/null
cat kept/* | cksum >sum
(trap '' XFSZ; ulimit -f 32; "$MOONTILE" big.lua kept 300 2>&1 | grep -c E674)
cat kept/* | cksum | cmp - sum && ls kept
echo "== files of somebody else"
mkdir mine && echo "my own" >mine/sums.c
export_to mine
echo "== no folder, a file in its place, names that are too long or none"
export_to /proc/nowhere/out
export_to sum
export_to sum/below
export_to "$long"
"$MOONTILE" --lang en big.lua "$(printf 'b/%.0s' $(seq 2500))" 2 2>&1 | grep '\^'
"$MOONTILE" --lang en big.lua "" 2 2>&1 | head -n 1
"$MOONTILE" -e 'local k = tl.jit(function(A) A: T.Tensor({1}, "float32") for _ in T.Kernel(1) do A[0] = 1 end end):compile()
print(select(2, pcall(k.export, k, "a\0b")).label, io.open "a")
print(select(2, pcall(k.export_sources, k, "a\0b")).label, io.open "a")
print(select(2, pcall(tl.load, "a\0b")).label, select(2, pcall(tl.save, "a\0b", tl.ones {1})).label)'
echo "== tensors: a full disk, a folder, a name of 255 bytes, one of 256"
cat >save.lua <<'X'
local function try(what, path, t)
  local ok, e = pcall(tl.save, path, t)
  print(what, ok or e.code, ok or e.label)
end
local many = {} -- each is less than the limit
for i = 1, 8 do many["t" .. i] = tl.randn {65536} end
local name = (os.getenv "L")
try("many", "many.npz", many)
try("over one", "was.npy", many)
try("over many", "was.npz", many)
print(tl.load "was.npy", tl.load "was.npz".a)
try("a folder", "kept", tl.ones {2})
try("255", name:sub(1, 251) .. ".npy", tl.ones {2})
try("256", name:sub(1, 252) .. ".npy", tl.ones {2})
X
"$MOONTILE" -e 'tl.save("was.npy", tl.ones {3}) tl.save("was.npz", {a = tl.ones {3}})'
(trap '' XFSZ; ulimit -f 2048; L=$long "$MOONTILE" --lang en save.lua)
ls ./*.npy ./*.npz | sed 's/a\{200,\}/LONG/'
