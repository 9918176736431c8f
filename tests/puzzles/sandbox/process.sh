# The process that evaluates: its walls, and that it ends with whoever waits for it.

# The child of process $1, once it runs behind its walls.
child() {
  while :; do
    for p in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
      if grep -q 'NoNewPrivs:[[:space:]]*1' "/proc/$p/status"; then
        echo "$p"
        return
      fi
    done
    kill -0 "$1" 2>/dev/null || return
    sleep 0.01
  done
}

# Waits until process $1 is gone.
gone() {
  while kill -0 "$1" 2>/dev/null && ! grep -q 'State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null; do
    sleep 0.01
  done
  echo "gone"
}

start() {
  SECRET=word "$MOONTILE" --lang en lib/endless.lua &
  parent=$!
  evaluator=$(child $parent)
}

start
echo "walls"
awk '/^Max (core file size|open files|file size) / {print $1, $2, $3, $(NF - 1)}' \
  "/proc/$evaluator/limits" | sed 's/  */ /g'
# Only root may look at the environment of a process behind walls.
[ "$(id -u)" = 0 ] && tr '\0' '\n' <"/proc/$evaluator/environ" | grep -c SECRET
[ "$(id -u)" = 0 ] || echo 0

echo "interrupted"
kill -INT $parent
was=$(gone "$evaluator") # said after what the parent says meanwhile
wait $parent
echo "status $?, the evaluator is $was"

echo "the parent is killed"
start
kill -KILL $parent
gone "$evaluator"
wait $parent 2>/dev/null

echo "the evaluator is killed"
start
kill -KILL "$evaluator"
wait $parent
echo "status $?"

echo "by itself"
"$MOONTILE" --evaluate 1 </dev/null
echo "status $?"
