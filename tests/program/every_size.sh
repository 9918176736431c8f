# A file that may grow to so many bytes only, at every door that writes one: the reason and a
# failure, and the file is as it was before; from the size that it takes on, all of it is there.
command -v prlimit >/dev/null || { echo "no prlimit"; exit 77; }
cd "$TMP" || exit
cat >k.lua <<'END'
local copy = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local B = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do B[i] = A[i] end
  end
  return B
end, {target = "cpu"})
k = copy:compile {}
END
cat >doors.lua <<'END'
dofile "k.lua"
local doors = {
  tensor = function() tl.save("out/x", tl.arange(300, "float32")) end,
  tensors = function() tl.save("out/x", {a = tl.arange(300, "float32"), b = tl.ones {9}}) end,
  figure = function() plot(k, {svg = "out/x"}) end,
  sources = function() k:export_sources "out/x" end,
}
doors[arg[1]]()
END
"$MOONTILE" k.lua # compiled, while there is room
mkdir out pack
printf 'x = 1\n:save! out/x\n' >save.in
door() { # door NAME: writes out/x or into out
    case $1 in
    emit) "$MOONTILE" compile k.lua --emit c -o out ;;
    save) "$MOONTILE" -i <save.in ;;
    plot) "$MOONTILE" plot k.lua --svg out/x ;;
    report) "$MOONTILE" doctor sim --report out/x ;;
    json) "$MOONTILE" check k.lua --json >out/x ;;
    bench) "$MOONTILE" bench k.lua --json >out/x ;;
    stdout) "$MOONTILE" -e 'print(("x"):rep(5000))' >out/x ;;
    stdout_exit) "$MOONTILE" -e 'io.write(("x"):rep(5000)) os.exit(0)' >out/x ;;
    *) "$MOONTILE" doors.lua "$1" ;;
    esac
}
# at SIZE NAME: what it says, in `said`, and its status
at() {
    (prlimit --pid "$(exec sh -c 'echo $PPID')" --fsize="$1:$1"; door "$2"; echo "status $?" >&2) 2>&1 |
        cat >said
    code=$(sed -n 's/^status //p' said)
}
for d in tensor tensors figure sources emit save plot report json bench stdout stdout_exit; do
    rm -rf out; mkdir out
    door "$d" >/dev/null 2>&1 || echo "$d: fails with room"
    f=$(ls out)
    whole=$(stat -c %s "out/$f")
    bad=""
    almost=$((whole - 1))
    case $d in report) almost=$((whole - 50)) ;; esac # it has times in it, of more or fewer digits
    for size in 0 1 $((whole / 2)) $almost; do
        rm -rf out; mkdir out
        case $d in json | bench | stdout*) ;; *) echo before >"out/$f" ;; esac
        at "$size" "$d"
        [ "$code" != 0 ] || [ "$d" = save ] || bad="$bad status-0-at-$size"
        [ "$code" -lt 128 ] || bad="$bad killed-at-$size"
        case $d in json | bench | stdout*) continue ;; esac
        grep -q -e "File too large" -e 'E[0-9][0-9][0-9]' said || bad="$bad no-reason-at-$size"
        [ "$(ls -A out)" = "$f" ] || bad="$bad left-at-$size:$(ls -A out | tr '\n' ,)"
        [ "$(cat "out/$f")" = before ] || bad="$bad changed-at-$size"
    done
    echo "$d: ${bad:-as it should be}"
done
