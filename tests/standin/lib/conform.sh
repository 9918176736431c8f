# conform SUITE TARGET STEP: every STEP-th case of tests/conform/SUITE.lua on TARGET; cases
# that fail, those that need more shared memory than there is, and the sums.
conform() {
    echo "== $1 on $2$([ "$3" = 1 ] || echo ", one case of $3")"
    (cd ../conform && MOONTILE_TIME_LIMIT=200 MOONTILE_CONFORM="$2" MOONTILE_CONFORM_STEP="$3" \
        "$MOONTILE" --lang en "$1.lua" 2>&1) |
        awk '/: FAILS on /, /^[^:]*: *$/ { print; next }
            /too large\)|bit-equal|cases,|error/ { print }'
}
