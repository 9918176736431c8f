# Answers that are wrong in one way each: every one ends in a message, none in a crash, a
# wrong result or a wait; what is safe to repeat is repeated.  The stand-in runs nothing:
# a result that arrives is zeros.
. lib/bad.sh
export MOONTILE_TIME_LIMIT=2
for mode in good garbage twice html redirect huge token busy stopping old new nosession \
    notensor full nokernel gone cutlaunch cutstream badline strange nolast times behind \
    unknown print slow silent shorter longer cutget cutput; do
    bad $mode
    echo "== $mode"
    "$MOONTILE" --lang en --connect "$URL" lib/twice.lua 2>&1 | brief
    case $mode in
    cut* | gone) # how often each thing was asked for
        sed -e 's# /v1/sessions/[0-9a-f]*# #' -e 's# /v1/# /#' "$TMP/log" | sort | uniq -c |
            grep -e launch -e PUT -e "GET /tensors"
        ;;
    esac
    no_more
done
