#!/bin/sh
# shellcheck disable=SC2016,SC2086 # the words of the inner sh, the words of EVERY
#
# all.sh: the long hunt, in processes on all cores: `make hunt`.
#
#     all.sh PROGRAM FOLDER SEED COUNT TARGETS PROFILE
#
# PROFILE hostile: no programs but kernels that try to leave their tensors, on the cpu target between guard
# pages (tests/unit/cpu_hostile.c), 640 to a seed.  What one process said of its seed stays in FOLDER.
#
# EVERY in the environment goes to run.lua as it is: --cpu-every 16 --cuda-every 40.  On a machine with several
# GPUs, GPUS says how many: the processes take them in turns.
#
# Findings become scripts in FOLDER.  A process that dies or hangs is a finding too: it says in a file which
# seed it is at, and the rest of its seeds goes to the next process.  Exit status 1 when something was found.
here=$(cd "$(dirname "$0")/.." && pwd)

if [ "$1" = part ]; then
    program=$2 out=$3 first=$4 last=$5 targets=$6 profile=$7
    at=$out/at.$first
    [ -z "${GPUS:-}" ] || export CUDA_VISIBLE_DEVICES=$((first / 25 % GPUS))
    if [ "$profile" = hostile ]; then
        hostile=$(dirname "$program")/tests/unit/cpu_hostile
        for seed in $(seq "$first" "$last"); do
            timeout -k 5 3600 "$hostile" 640 "$seed" >"$out/hostile.$seed" 2>&1
            code=$?
            echo "seeds $seed to $seed: 640 programs, $(grep -c '^program ' "$out/hostile.$seed") findings"
            [ $code -eq 0 ] && rm -f "$out/hostile.$seed" && continue
            echo "seed $seed: exit status $code, profile hostile: $out/hostile.$seed"
            tail -n 1 "$out/hostile.$seed"
        done
        exit 0
    fi
    while [ "$first" -le "$last" ]; do
        timeout -k 5 $((60 + (last - first + 1) * 10)) "$program" "$here/run.lua" --seed "$first" \
            --count $((last - first + 1)) --targets "$targets" --profile "$profile" --out "$out" --at "$at" \
            $EVERY 2>"$at.err"
        code=$?
        [ $code -le 1 ] && break
        read -r seed target <"$at" || break
        echo "seed $seed: exit status $code on ${target:-the interpreter} (124 and 137: it hung), profile $profile"
        tail -n 3 "$at.err"
        first=$((seed + 1))
    done
    rm -f "$at" "$at.err"
    exit 0
fi

program=$1 out=$2 seed=$3 count=$4 targets=$5 profile=$6
export EVERY="${EVERY:-}"
mkdir -p "$out"
part=25
first=$seed
while [ "$first" -lt $((seed + count)) ]; do
    last=$((first + part - 1))
    [ $last -lt $((seed + count)) ] || last=$((seed + count - 1))
    echo "$first $last"
    first=$((last + 1))
done | xargs -P "$(nproc)" -L 1 sh -c '"$0" part "$1" "$2" "$5" "$6" "$3" "$4"' "$here/lib/all.sh" "$program" "$out" \
    "$targets" "$profile" >"$out/log"
grep -v '^seeds ' "$out/log"
awk '/^seeds / { n += $5; for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^findings/) f += $i; if ($(i + 1) ~ /^refused/) r += $i; if ($(i + 1) ~ /^not/) x += $i } }
     END { printf "%d programs, %d findings, %d refused, %d not counted\n", n, f, r, x }' "$out/log"
! grep -q '^seed ' "$out/log"
