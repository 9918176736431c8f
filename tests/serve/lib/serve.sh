# For the tests of `moontile serve`: a server on a port of the kernel's choice, requests by
# curl, and what of the answers does not change from run to run.
command -v curl >/dev/null || { echo "no curl"; exit 77; }
export XDG_CONFIG_HOME="$TMP/config" HOME="$TMP/home"
unset MOONTILE_TOKEN MOONTILE_TOKEN_FILE http_proxy https_proxy
mkdir -p "$XDG_CONFIG_HOME" "$HOME"

# Waits until a command says yes; a loaded machine takes its time.
wait_for() {
  n=0
  until "$@" >/dev/null 2>&1; do
    n=$((n + 1))
    [ $n -lt 3000 ] || { echo "waited too long for: $*"; exit 1; }
    sleep 0.05
  done
}

listens() { grep -q "listening on" "$TMP/address"; }

# start [FLAGS]: PID, URL
start() {
  : >"$TMP/address"
  "$MOONTILE" serve --port 0 --log "$TMP/log" "$@" >"$TMP/address" 2>"$TMP/errors" &
  PID=$!
  trap 'kill -9 $PID 2>/dev/null' EXIT
  wait_for listens
  URL=$(sed -n 's/.*listening on //p' "$TMP/address")
}

# The processes that a process has started, but for a server's warden.
children() {
  for child in $(cat "/proc/$1/task/$1/children"); do
    grep -qa -e --warden "/proc/$child/cmdline" || echo "$child"
  done
}

# stop: SIGTERM, and how it ended
stop() {
  kill -TERM $PID
  wait $PID
  echo "server: status $?"
  cat "$TMP/errors"
}

# An answer without what changes: of errors id and arguments; no lines of waiting.
brief() {
  sed -e '/^{"alive": true}$/d; /^{"wait": true}$/d; /^{"queue"/d; /^{"run": true}$/d' \
    -e 's/"ms": \[[^]]*\]/"ms": [..]/' -e 's/"session": "[0-9a-f]*"/"session": "ID"/g' \
    -e 's/^{"error": {"id": "\([a-z_]*\)".*$/\1/' -e 's/^\(.\{400\}\).*/\1.../'
}

# r METHOD PATH [CURL OPTIONS]: status, body in brief.  PATH is below /v1.
r() {
  method=$1 path=$2
  shift 2
  : >"$TMP/body"
  code=$(curl -sS -o "$TMP/body" -w '%{http_code}' -X "$method" "$@" "$URL/v1$path" 2>"$TMP/curl")
  args=$(sed -n 's/^{"error": {"id": [^[]*"args": \(\[[^]]*\]\).*/ \1/p' "$TMP/body" |
    sed 's/"[0-9a-f]\{8\}"/ID/')
  printf '%s %s: %s %s%s\n' "$method" "$(echo "$path" | sed 's/[0-9a-f]\{32\}/ID/')" "$code" \
    "$(tr -d '\000' <"$TMP/body" | brief)" "$args"
}

# open [TARGET] [CURL OPTIONS]: S, a path of a new session
open() {
  target=${1:-cpu -threads=1}
  [ $# = 0 ] || shift
  S=/sessions/$(curl -sS "$@" -d "{\"target\": \"$target\"}" "$URL/v1/sessions" |
    sed -n 's/.*"session": "\([0-9a-f]*\)".*/\1/p')
}

# y[i] = x[i] + a over any number of elements
cat >"$TMP/add.ir" <<'IR'
file 1 "add.lua"
kernel add(X, Y, a)
  dim N: int32
  scalar a: float32
  buffer X: global float32[N]
  buffer Y: global float32[N]
  launch bx in (N + 63) // 64 threads 64 do @3
    for i in parallel(64) do @4
      if bx*64 + i < N then @5
        Y[bx*64 + i] = X[bx*64 + i] + a @6
      end
    end
  end
end
IR
# runs until A[0] is 1 or more, which zeros never are
cat >"$TMP/spin.ir" <<'IR'
kernel spin(A)
  buffer A: global float32[64]
  launch bx in 1 threads 64 do
    while A[0] < 1.0 do
      for i in parallel(64) do
        A[i] = A[i]*0.5
      end
    end
  end
end
IR
# prints, then holds A[0] against 0
cat >"$TMP/say.ir" <<'IR'
file 1 "say.lua"
kernel say(A)
  buffer A: global int32[64]
  launch bx in 2 threads 64 do
    for i in serial(2) do
      printf bx*10 + i, "i" @6
    end
    assert A[bx] >= 0, "A is positive" @8:5
  end
end
IR
