# What cannot be written is said, with the reason and a failure, and no file is left in part:
# /dev/full for outputs, a folder that is not there, a file limit in the middle of a file.
[ -c /dev/full ] || { echo "no /dev/full"; exit 77; }
cat >"$TMP/k.lua" <<'X'
copy = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do B[bx * 64 + i] = A[bx * 64 + i] end
  end
  return B
end)
copy(tl.arange(64, "float32"))
X
cat >"$TMP/files.lua" <<'X'
dofile(os.getenv "TMP" .. "/k.lua")
local k, full = copy:compile {N = 64}, "/dev/full"
local function try(what, f, ...)
  local ok, e = pcall(f, ...)
  print(what, ok, ok or e.code, ok or e.label)
end
try("sources", k.export_sources, k, full)
try("nowhere", k.export_sources, k, "/nowhere/k.c")
try("tensor", tl.save, full, tl.zeros {1000})
try("tensors", tl.save, full, {a = tl.zeros {1000}})
try("figure", plot, k, {svg = full})
X
cd "$TMP" || exit
sed 's/^copy(tl.*/copy:compile{N = 64}/' k.lua >c.lua
for words in "-e print(1)" "compile k.lua --emit c" "compile k.lua --emit ir" "check k.lua" "explain k.lua --json" \
    "plot k.lua" "doctor cpu" "puzzles --help" "--help" "--version"; do
    # shellcheck disable=SC2086
    "$MOONTILE" $words >/dev/full 2>err
    echo "$words: $?, $(tail -n 1 err)"
done
for code in 'os.exit()' 'print(1) os.exit()' 'print(1) os.exit(true)' 'print(1) os.exit(3)' 'print(1) os.exit(false)' \
    'coroutine.wrap(function() print(1) os.exit(0) end)()' 'os.exit(4)' 'os.exit(true, true)' \
    'local x <close> = setmetatable({}, {__close = function() print(2) end}) os.exit(0, true)'; do
    "$MOONTILE" -e "$code" >/dev/full 2>err
    echo "$code: $?, $(tail -n 1 err)"
done
"$MOONTILE" --lang zh -e 'print(1)' 2>&1 >/dev/full
# An output that was closed: nothing that is opened later takes its number.
for words in "-e print(1)" "-t cpu k.lua" "compile k.lua --emit c" "--version"; do
    # shellcheck disable=SC2086
    "$MOONTILE" $words >&- 2>err
    echo "closed, $words: $?, $(tail -n 1 err)"
done
"$MOONTILE" -t cpu -e 'dofile "k.lua"' 2>&-
echo "no stderr: $?"
"$MOONTILE" -e 'dofile "k.lua" print(io.read())' <&-
echo "no stdin: $?"
"$MOONTILE" files.lua
(ulimit -f 0; trap '' XFSZ; "$MOONTILE" puzzles init night; echo "init: $?") 2>&1 | cat
find night -type f
(ulimit -f 0; trap '' XFSZ; MOONTILE_CACHE_DIR="$TMP/none" "$MOONTILE" -t cpu -e 'dofile "c.lua"' 2>&1; echo "compiler: $?") | grep -v "^ "
echo "what was there" >there.lua
printf 'x = 1\n:save! there.lua\n' | (ulimit -f 0; trap '' XFSZ; "$MOONTILE" -i) 2>&1 | grep there
cat there.lua
ls there.lua*
# A device and a pipe are nothing that stands in the way of :save, and are not read.
case $MOONTILE in */san/*) most=unlimited ;; *) most=2000000 ;; esac # sanitizers map terabytes
mkfifo there.fifo
timeout 300 cat there.fifo >from &
printf 'x = 1\n:save /dev/full\n:save there.fifo\n:save there.lua\n' | (ulimit -v $most; timeout 300 "$MOONTILE" -i) 2>&1
wait
tail -n 1 from
# .. also where the file catches the error
sed 's/^copy(tl.*/pcall(copy, tl.arange(64, "float32"))/' k.lua >caught.lua
"$MOONTILE" compile caught.lua --emit c -o /dev/null/x 2>&1
echo "caught: $?"
# A text that is converted: the file that stood there stays.
printf 'def f(x):\n    return x ** 2\n' >p.py
(ulimit -f 0; trap '' XFSZ; "$MOONTILE" convert p.py -o there.lua; echo "convert: $?") 2>&1 | cat
cat there.lua
ls there.lua*
"$MOONTILE" convert p.py -o /dev/full 2>&1; echo "convert: $?"
"$MOONTILE" convert p.py 2>&1 >/dev/full; echo "convert: $?"
