# A machine without one of the walls, or on which one cannot be put up (lib/without.c makes it
# one): the server says so when it begins and refuses sessions on its processor unless it is told
# otherwise; the judge says so with its verdict; a worker that must have them runs nothing.  The call lists compile for AArch64, where a compiler for it is.
. ./lib/serve.sh
case $MOONTILE in */san/*) echo "builds with sanitizers have no walls"; exit 77 ;; esac
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -o "$TMP/without" lib/without.c 2>"$TMP/cc.log" || { echo "no C compiler"; exit 77; }
"$TMP/without" landlock true || { echo "no filters here"; exit 77; }
begin() { sed -e 's#http://.*#URL#' "$TMP/address"; }
program=$MOONTILE
"$program" puzzles init "$TMP/moon" --from ../puzzles/course/lib/small >"$TMP/init"
cp ../puzzles/course/lib/small/01-copy/solution.lua "$TMP/moon/01-copy.lua"
for wall in landlock seccomp entering filters; do
    printf '#!/bin/sh\nexec "%s" %s "%s" "$@"\n' "$TMP/without" $wall "$program" >"$TMP/program"
    chmod +x "$TMP/program"
    MOONTILE=$TMP/program
    echo "== $wall"
    start
    begin
    r POST /sessions -d '{"target": "cpu"}'
    r POST /sessions -d '{"target": "sim"}' | cut -c 1-20
    "$program" --lang en --connect "$URL" -e 'tl.zeros({1})' 2>&1 | sed -n 's/.*CPU: //p'
    stop
    start --sandbox 0
    begin
    r POST /sessions -d '{"target": "cpu"}' | cut -c 1-20
    stop
    for lang in en zh; do "$MOONTILE" puzzles run 1 -t cpu --dir "$TMP/moon" --lang $lang | head -n 2; done
    for must in 60 60!; do
        MOONTILE_GUARD=$must "$MOONTILE" -t cpu -e 'print((tl.ops.sum(tl.ones({4, 4}), 1)))' 2>&1 | sed 's/^[^ ]*: error/error/; /^ /d; /^help/d'
    done
done
cross=aarch64-linux-gnu-gcc
command -v $cross >"$TMP/cross" && echo 'int main(void) { return 0; }' >"$TMP/x.c" || exit 0
for f in core/device/jail.c core/device/jail_worker.c tests/unit/jail_worker.c; do
    $cross -std=c11 -D_GNU_SOURCE -I../.. -I"$(dirname "$program")/gen" -Wall -Wextra -Werror -c ../../$f -o "$TMP/x.o" || echo "$f: not for AArch64"
done
