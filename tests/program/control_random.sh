# Texts that a terminal would obey, made at random from fixed seeds (lib/hostile.lua), wherever
# somebody else's text comes in: sources, strings, names of files and kernels, IR, headers of
# tensors, puzzles, the environment, answers of a server, words of compilers.  What comes out
# has no control characters but line ends and tabs.  SEEDS="7 8" tries others.
M=$MOONTILE
here=$PWD
remote=$PWD/../remote
readable=$PWD/lib/readable.lua
${CC:-cc} -std=c11 -D_GNU_SOURCE -O0 -o "$TMP/server" "$remote/lib/bad_server.c" -pthread 2>"$TMP/log" ||
    { echo "no C compiler"; exit 77; }
unset MOONTILE_TOKEN MOONTILE_TOKEN_FILE http_proxy
export MOONTILE_TIME_LIMIT=20

# What a command says is kept behind its words, to be looked at once for each seed.
see() { # see WORDS ..
    printf "%s\n" "--" >>said
    "$M" "$@" >>said 2>&1 </dev/null
    echo >>said
}
word() { sed -n "$1p" words; }

# A server that answers with FILE where the path has WHERE.
serve() { # serve FILE WHERE STATUS
    rm -f port
    SAY=$1 "$TMP/server" "say $2 $3" port log &
    server=$!
    until [ -s port ]; do sleep 0.01; done
    for lang in en zh; do
        see --lang $lang --connect "http://127.0.0.1:$(cat port)" "$remote/lib/twice.lua"
    done
    see --connect "http://127.0.0.1:$(cat port)" -e 'print(tl.connection())'
    [ "$2" != sessions ] || MOONTILE_URL=http://127.0.0.1:$(cat port) see doctor remote
    kill $server
    wait $server 2>/dev/null
}

sources() {
    for f in good.lua fails.lua; do
        cp $f "$(word 1)$f"
        for t in cpu "sim -arch=sm_80"; do see -t "$t" "$(word 1)$f"; done
        see --lang zh -t sim "$(word 1)$f"
    done
    for kind in c ir thread cuda; do see compile "$(word 1)good.lua" --emit $kind; done
    for what in check explain plot bench; do see $what "$(word 1)good.lua"; done
    for f in program.ir wrong.ir; do cp $f "$(word 2)$f"; see --ir-check "$(word 2)$f"; see --ir "$(word 2)$f"; done
    for f in descr.npy key.npy; do cp $f "$(word 3)$f"; see -e "tl.load(arg[1])" "$(word 3)$f"; done
    echo "-- prompt" >>said
    for lang in en zh; do "$M" --lang $lang -i <input >>said 2>&1; done
}

words() {
    see "$(word 4)"
    see "$(word 4).lua"
    see "--$(word 4)"
    see -t "$(word 4)" -e 'x=1'
    see -t "cpu -$(word 5)=1" -e 'x=1'
    see -t "sim -arch=$(word 5)" -e 'x=1'
    see --lang "$(word 5)" -e 'x=1'
    see -e "x = = '$(word 6)'"
    see -e "error '$(word 6)'"
    see --connect "$(word 6)" -e 'x=1'
    see --token-file "$(word 6)" --connect http://127.0.0.1:1 -e 'x=1'
    for c in compile check bench explain plot doctor "help" "serve --config" "serve --bind" "puzzles" "puzzles run" \
        "puzzles text" "puzzles get" "puzzles init" "puzzles --from" "puzzles remove" "compile good.lua --emit" "explain"; do
        # shellcheck disable=SC2086
        see $c "$(word 7)"
    done
}

with() { # with VARIABLE WORDS ..: under a value of that
    (export "$1=$(word 8)"; shift; see "$@")
}

environment() {
    for v in URL TOKEN TOKEN_FILE TIME_LIMIT LUA_PATH CURL_LIB LANG CACHE_DIR; do
        with MOONTILE_$v --connect http://127.0.0.1:1 -e 'tl.zeros{2}'
    done
    with MOONTILE_URL doctor remote
    for v in MOONTILE_THREADS MOONTILE_CACHE_DIR XDG_CACHE_HOME HOME CC TMPDIR PATH LC_ALL LANG TERM COLUMNS; do
        with $v -t cpu good.lua
    done
    for t in cuda hip maca; do
        for v in CUDA_LIB NVRTC_LIB HIP_LIB HIPRTC_LIB HIPCC MACA_LIB MXCC PROBE; do
            case $t$v in cuda*U* | cuda*N* | hipH* | macaM* | *PROBE) with MOONTILE_$v -t $t good.lua ;; esac
        done
    done
    (export MOONTILE_CACHE_DIR="$PWD/c$(word 9)" "TERM=$(word 8)" "HOME=$(word 9)" CC="$PWD/compiler"
    see doctor
    see -t cpu good.lua
    export MOONTILE_HIPCC="$PWD/compiler" MOONTILE_MXCC="$PWD/compiler"
    see -t "hip -rtc=off -build -arch=gfx90a" good.lua
    see -t "maca -rtc=off -build" good.lua
    mkdir bin && cp compiler bin/nvcc
    MOONTILE_NVRTC_LIB='' LD_LIBRARY_PATH='' PATH=$PWD/bin:$PATH
    see -t "cuda -build -arch=sm_80" good.lua)
}

puzzles() {
    cp -r "$here/../puzzles/course/lib/small" track
    mv index.lua puzzle.lua track/01-copy
    mv track/01-copy/index.lua track
    for f in en.md zh.md hints.en.md hints.zh.md after.en.md after.zh.md; do cp text.md track/01-copy/$f; done
    see puzzles list --from track
    see puzzles text 1 --from track
    see puzzles init "moon$(word 10)" --from track
    [ ! -d "moon$(word 10)" ] || sed "s/^k = /copy = /" fails.lua >"moon$(word 10)/01-copy.lua"
    for words in "run 1" "hint 1" list; do
        # shellcheck disable=SC2086
        see puzzles $words --dir "moon$(word 10)"
    done
    see puzzles pack track -o pack.json
    see puzzles get pack.json
    printf ':puzzles %s\n:puzzle 1\n:text 1\n:hint\n:check\n' "$(word 11)" | "$M" -i >>said 2>&1
}

for seed in ${SEEDS:-2}; do
    mkdir "$TMP/$seed" && cd "$TMP/$seed" || exit 1
    "$M" "$here/lib/hostile.lua" "$seed" . "$here"/lib/hostile/*.in
    chmod +x compiler
    sources
    words
    environment
    puzzles
    serve hello.json hello "200 OK"
    serve refused.json hello "401 Unauthorized"
    serve refused.json sessions "422 No"
    serve quota.json tensors "413 No"
    serve quota.json kernels "422 No"
    serve session.json sessions "200 OK"
    serve kernel.json kernels "200 OK"
    serve launch.json launch "200 OK"
    serve strange.json launch "200 OK"
    serve page.json hello "502 Bad"
    echo "seed $seed: $("$M" "$readable" <said)"
done
