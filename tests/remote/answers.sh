# Answers that are wrong in one way each: every one ends in a message, none in a crash, a
# wrong result or a wait; what is safe to repeat is repeated.  The stand-in runs nothing:
# a result that arrives is zeros.
. lib/bad.sh
export MOONTILE_TIME_LIMIT=2
for mode in good garbage twice html redirect huge token busy stopping old new nosession \
    notensor full nokernel gone cutlaunch cutstream badline strange nolast times behind \
    unknown print slow silent shorter longer cutget cutput again noafter badafter longafter; do
    bad $mode
    echo "== $mode"
    case $mode in
    cutput) words=4000 ;;            # too much to travel along with the launch
    again | *after) words="4 2" ;;   # the second result is told behind its launch
    *) words= ;;
    esac
    # shellcheck disable=SC2086
    "$MOONTILE" --lang en --connect "$URL" lib/twice.lua $words 2>&1 | brief
    case $mode in
    cut* | gone | again) # how often each thing was asked for
        sed -e 's# /v1/sessions/[0-9a-f]*# #' -e 's# /v1/# /#' "$TMP/log" | sort | uniq -c |
            grep -e launch -e PUT -e "GET /tensors"
        ;;
    esac
    no_more
done
