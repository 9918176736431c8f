#!/bin/sh
# The guided walk: what it says, what moves it on, in both languages.
input() {
    cat <<'IN'
:tour next
:tour 11
:tour
1 + 1
tl.zeros({2, 2})
:tour go
:tour go
double(tl.arange(10, "int32"))
:tour back
:tour stop
:tour 8
plot(tl.layout.swizzle{rows = 4, bytes = 64, mode = 64})
:tour
:tour next
:tour next
IN
}
export MOONTILE_CACHE_DIR="$TMP"
input | LC_ALL=C.UTF-8 "$MOONTILE" -i -t cpu --lang en 2>&1
echo ==
input | LC_ALL=C.UTF-8 "$MOONTILE" -i -t cpu --lang zh 2>&1
