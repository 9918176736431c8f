/* targets/sim/sim.c: the sim target: executes the thread program of any machine
 * on this one, and says what is wrong with it. */
#include "device.h"

#include "core/ir/walk.h"
#include "err/sim.h"

static bool own_code(Stmt *s, void *ud)
{
    Ctx *c = ud;
    if (s->kind == Sop && s->op.op == Ocall_extern)
        diag(c, E_sim_extern, s->loc, s->op.text, NULL);
    return true;
}

bool sim_takes(Prog *p)
{
    stmt_walk(p->body, own_code, &p->ctx);
    for (uint32_t i = 0; i < p->ncalled; i++)
        diag(&p->ctx, E_sim_extern, p->called[i].loc, p->called[i].name, NULL);
    return p->ctx.nerror == 0;
}

static bool sim_emit(Prog *p, const char *options, Str *out)
{
    (void)options;
    prog_print(p, out);
    return sim_takes(p) && !out->bad;
}

const Target sim_target = {
    .name = "sim",
    .summary = "a simulator of any machine's threads, which finds races and other faults",
    .machine = sim_machine,
    .decides = true,
    .pace = 5e6,
    .guards = true,
    .emit = sim_emit,
    .build = artifact_store,
    .device = &sim_device,
};
