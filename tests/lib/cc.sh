#!/bin/sh
# The compiler that tests have in CC: TEST_CC or cc, and for printed kernels -Og instead of -O3; for
# those of very many statements -O1, since -Og then takes four times as long as either.
case " $* " in
*" -O0 "*) ;;
*" -O3 "*" -fno-tree-pre "*) set -- "$@" -O1 ;;
*" -O3 "*) set -- "$@" -Og ;;
esac
[ -n "$XDG_CACHE_HOME" ] || unset XDG_CACHE_HOME # ccache would take the empty one for a folder here
# shellcheck disable=SC2086 # a list of words
exec ${TEST_CC:-cc} "$@"
