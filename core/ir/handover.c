/* core/ir/handover.c: what the writer and the reader of plans share; see handover.h. */
#include <string.h>

#include "handover.h"

const char *const copyhow[NCopyHow] = {"loop", "async", "tma", "bulk"};
const char *const strengthname[NStrength] = {"none", "free", "weak", "reduce", "gemm", "user"};

bool handover_exprs(const Stmt *s, ExFn *f, void *ud)
{
    Ex e[4] = {s->turn.loop ? s->turn.first : 0, s->turn.loop ? s->turn.last : 0};
    const GemmPlan *g = gemm_plan(s);
    const CopyPlan *c = copy_plan(s);
    e[2] = g ? g->keep : 0;
    e[3] = c ? c->use : 0;
    for (size_t i = 0; i < COUNT(e); i++)
        if (e[i] && !f(ud, e[i]))
            return false;
    return true;
}

const BufLow *handover_buf(const LaunchPlan *l, uint32_t b)
{
    static const BufLow none;
    const BufLow *k = l && b < l->nbuf ? &l->buf[b] : NULL;
    return k && memcmp(k, &none, sizeof none) ? k : NULL;
}
