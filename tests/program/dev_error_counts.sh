# core/device/error.h: an error with more or fewer arguments than its message has does not compile.
gen=$(dirname "$MOONTILE")/gen
try() {
    cat >"$TMP/try.c" <<END
#include "core/device/error.h"
#include "err/gpu.h"
#include "err/packs.h"
#include "err/run.h"
static const struct { DevRow1 one; } table = {DEV_ROW(${2:-1}, ${3:-E_gpu_trap})};
DevError try(const char *s);
DevMessage say(const char *s);
DevError try(const char *s) { (void)s, (void)table; return $1; }
DevMessage say(const char *s) { (void)s; return ${4:-dev_message(E_called)}; }
END
    printf '%s: ' "$*"
    if "${CC:-cc}" -std=c11 -I../.. -I"$gen" -fsyntax-only "$TMP/try.c" 2>"$TMP/says"; then
        echo compiles
    else
        grep -o 'the message takes another number of arguments' "$TMP/says" | head -n 1
    fi
}
try 'dev_error(E_gpu_shared, 1, 2, s)'
try 'dev_error(E_gpu_shared, 1, s)'
try 'dev_error(E_gpu_shared, 1, 2, s, s)'
try 'dev_error(E_interrupted)'
try 'dev_error(E_interrupted, s)'
try 'dev_error_all(E_pack_http, s, 404)'
try 'dev_error(E_pack_http, s, 404)'
try 'dev_error_all(E_bug, s)'
try 'dev_error(E_bug, s)'
try 'dev_error_row(table.one, s)'
try 'dev_error_row(table.one)'
try 'dev_error_row(table.one, s, s)'
try DEV_NO_ERROR 1 E_gpu_shared
try DEV_NO_ERROR 1 E_gpu_not_run
try DEV_NO_ERROR 1 E_gpu_trap 'dev_message(E_called, s)'
try DEV_NO_ERROR 1 E_gpu_trap 'dev_message(E_gpu_other_compiler, s, s, s)'
