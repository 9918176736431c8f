# Compilers may be scripts that start others, which leave their session and their parent: when the
# session is closed, its process or the server is killed, they end with it all the same.
. ./lib/serve.sh
cat >"$TMP/cc" <<X
#!/bin/sh
sleep 7001.$$ &
setsid sleep 7002.$$ &
(setsid setsid sleep 7003.$$ &)
setsid sh -c 'setsid sleep 7004.$$ & exec sleep 7005.$$' &
touch "$TMP/begun"
exec sleep 7006.$$
X
chmod +x "$TMP/cc"
export CC="$TMP/cc" MOONTILE_CACHE_DIR="$TMP/cache"
begun() { [ -e "$TMP/begun" ]; }
seat() { # what it started itself, not what it took over
  for p in $(cat /proc/$PID/task/$PID/children); do
    grep -qa -e --session-process "/proc/$p/cmdline" 2>"$TMP/gone" && echo "$p"
  done
}
nobody() { ! grep -qa "sleep.700[0-9][.]$$" /proc/[0-9]*/cmdline 2>/dev/null; }
try() { # try HOW
  rm -f "$TMP/begun"
  start
  open
  curl -sS -o "$TMP/posted" "$URL/v1$S/kernels" --data-binary "@$TMP/say.ir" 2>"$TMP/curl" &
  wait_for begun
  case $1 in
  closed) r DELETE "$S" >"$TMP/deleted" ;;
  'its process is killed') kill -9 "$(seat)" ;;
  'the server is killed') kill -9 $PID ;;
  esac
  wait_for nobody
  echo "$1: nobody is left"
  kill -9 $PID 2>"$TMP/kill"
  wait 2>"$TMP/kill"
}
try closed
try 'its process is killed'
try 'the server is killed'
