#!/bin/sh
# shellcheck disable=SC2016 # the words of the inner sh
#
# rest.sh: what `make hunt` runs besides its own programs, in processes on all cores:
#
#     rest.sh PROGRAM FOLDER SEED
#
#   hostile    kernels that try to leave their tensors, HOSTILE (192) seeds of 640
#   lower      made and mutated IR on the way to every target's source, FUZZ (300) seconds a process
#   operators  every name of T through the stand-ins for maca and hip against the simulator; needs clang++-19
#   integers   expressions over integers at the ends of their types, on all targets; needs clang++-19
#   packed     kernels over elements of 4 bits, and constants with types among floats, on all targets; needs clang++-19
#   through    kernels whose stages pass data through global memory, against an interpreter: THROUGH (2000) programs
#   tiles      tiles by names of several widths; small ones at shifted elements: TILES (2000) programs
#   atomics    statements that change the same elements by atomics of several kinds: ATOMICS (2000) programs
#   roles      roles that share tiles, with mbarriers and named barriers, right and wrong: ROLES (2000) programs
#   around     loops around roles that mbarriers keep in step, right and wrong: AROUND (2000) programs
#   votes      statements with votes of the block beside loads, against lockstep: VOTES (2000) programs
#   gathers    gathers of pipelined loops, against an interpreter: GATHERS (2000) programs
#   masks      loops with loads under conditions, on the cpu and the simulator: MASKS (400) programs
#   guards     accesses at the ends of tensors of unknown sizes, under conditions: GUARDS (400) programs
#   owned      barriers of the program's own, all of them and one too few: OWNED (2000) programs
#   values     expressions over all types, chains of casts, on the cpu and the simulator: VALUES (100) seeds of 200
#   verify     the puzzles' references and wrong answers with SEEDS (1000) sets of inputs
#
# A line for each kind; what a process said stays in FOLDER when something is wrong.  Exit status 1 then.
here=$(cd "$(dirname "$0")/.." && pwd)

part=50 # programs of one process

# One job, whose output goes to a file: exit status 77: it lacks something.
job() {
    units=$(dirname "$program")/tests/unit
    case $1 in
    hostile) timeout -k 5 7200 "$units/cpu_hostile" 640 "$2" ;;
    lower) cd "$here/../.." && timeout -k 5 $((fuzz * 3 + 100)) "$units/fuzz_lower" "$fuzz" "$2" ;;
    made) timeout -k 5 $((fuzz * 3 + 100)) "$units/fuzz_made" "$fuzz" "$2" ;;
    operators | integers | packed)
        cd "$here/../standin" || return
        export MOONTILE="$program" TMP="$out/$1-$2.tmp" MOONTILE_CACHE_DIR="$out/kernels.$2/cache"
        mkdir -p "$TMP" "$MOONTILE_CACHE_DIR"
        sh "lib/$1_all.sh" "$2" ;;
    through) timeout -k 5 3600 "$program" "$here/through.lua" --seed "$2" --count "$part" ;;
    tiles) timeout -k 5 3600 "$program" "$here/tiles.lua" --seed "$2" --count "$part" --each 5 ;;
    atomics) timeout -k 5 3600 "$program" "$here/atomics.lua" --seed "$2" --count "$part" --each 3 ;;
    roles) timeout -k 5 3600 "$program" "$here/roles.lua" --seed "$2" --count "$part" ;;
    around) timeout -k 5 3600 "$program" "$here/around.lua" --seed "$2" --count "$part" ;;
    votes) timeout -k 5 3600 "$program" "$here/votes.lua" --seed "$2" --count "$part" ;;
    gathers) timeout -k 5 3600 "$program" "$here/gathers.lua" --seed "$2" --count "$part" --each 3 ;;
    masks) timeout -k 5 3600 "$program" "$here/masks.lua" --seed "$2" --count "$part" ;;
    guards) timeout -k 5 3600 "$program" "$here/guards.lua" --seed "$2" --count "$part" --each 2 ;;
    owned) timeout -k 5 3600 "$program" "$here/owned.lua" --seed "$2" --count "$part" ;;
    values) timeout -k 5 3600 "$program" "$here/values.lua" --seed "$2" --size 200 --count 10 ;;
    verify) timeout -k 5 14400 "$program" puzzles verify "$2" --seeds "${SEEDS:-1000}" ;;
    esac
}

if [ "$1" = part ]; then
    program=$2 out=$3
    fuzz=${FUZZ:-300}
    said=$out/$4.$5
    (job "$4" "$5") >"$said" 2>&1
    code=$?
    echo "$4 $5 $code: $(tail -n 1 "$said")"
    [ $code -ne 0 ] || rm -rf "$said" "$out/$4-$5.tmp"
    exit 0
fi

program=$1 out=$2 seed=$3
mkdir -p "$out"
cores=$(nproc)
{
    for p in "$here"/../../puzzles/[0-9]*; do echo "verify $(basename "$p")"; done
    for t in maca maca-plain gfx942 gfx90a gfx1100; do echo "operators $t"; done
    for i in $(seq "$seed" $((seed + cores - 1))); do echo "lower $i"; echo "made $i"; echo "integers $i"; echo "packed $i"; done
    for i in $(seq "$seed" $part $((seed + ${THROUGH:-2000} - 1))); do echo "through $i"; done
    for i in $(seq "$seed" $part $((seed + ${TILES:-2000} - 1))); do echo "tiles $i"; done
    for i in $(seq "$seed" $part $((seed + ${ATOMICS:-2000} - 1))); do echo "atomics $i"; done
    for i in $(seq "$seed" $part $((seed + ${ROLES:-2000} - 1))); do echo "roles $i"; done
    for i in $(seq "$seed" $part $((seed + ${AROUND:-2000} - 1))); do echo "around $i"; done
    for i in $(seq "$seed" $part $((seed + ${VOTES:-2000} - 1))); do echo "votes $i"; done
    for i in $(seq "$seed" $part $((seed + ${GATHERS:-2000} - 1))); do echo "gathers $i"; done
    for i in $(seq "$seed" $part $((seed + ${MASKS:-400} - 1))); do echo "masks $i"; done
    for i in $(seq "$seed" $part $((seed + ${GUARDS:-400} - 1))); do echo "guards $i"; done
    for i in $(seq "$seed" $part $((seed + ${OWNED:-2000} - 1))); do echo "owned $i"; done
    for i in $(seq "$seed" 10 $((seed + ${VALUES:-100} - 1))); do echo "values $i"; done
    for i in $(seq "$seed" $((seed + ${HOSTILE:-192} - 1))); do echo "hostile $i"; done
} | xargs -P "$cores" -L 1 sh -c '"$0" part "$1" "$2" "$3" "$4"' "$here/lib/rest.sh" "$program" "$out" >"$out/rest"
awk '{ code = $3 + 0; n[$1]++; if (code == 77) lacks[$1]++; else if (code) { bad[$1]++; print } }
     END { for (k in n) printf "%s: %d processes, %d found something%s\n", k, n[k], bad[k],
           lacks[k] ? ", " lacks[k] " lack a tool" : "" }' "$out/rest" | sort
! awk '$3 + 0 && $3 + 0 != 77 { found = 1 } END { exit !found }' "$out/rest"
