/* targets/maca/prelude.c: helpers of printed MACA C++. */
#include "maca.h"

#include <string.h>

static const EmitText texts[] = {
    {"ballot", "",
     "/* A bit for each of 64 lanes where p holds. */\n"
     "% unsigned long long ballot(bool p) { return __ballot_sync(~0ul, p); }\n"},
    {"shuffle", "",
     "/* v of another lane. */\n"
     "template <class T>\n% T shuffle(T v, int lane) { return __shfl_sync(~0ul, v, lane, 64); }\n"},
    {"fast_div", "",
     "% float fast_div(float a, float b) { return a * __builtin_mxc_rcpf(b); }\n"},
    {"fast_rcp_f64", "", "% double fast_rcp_f64(double x) { return 1.0 / x; }\n"},
    {NULL, NULL, NULL},
};

const char *maca_helper(Emit *e, const char *name)
{
    const char *t = emit_find(e, texts, name);
    t = t ? t : maca_mma_helper(e, name);
    t = t ? t : maca_copy_helper(e, name);
    t = t ? t : emit_lanes(e, name);
    return t ? t : emit_clang(e, name);
}
