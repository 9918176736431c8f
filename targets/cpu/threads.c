/* targets/cpu/threads.c: kernels that speak of single threads.
 *
 * The C that this target prints runs a block as one thread.  A kernel that names
 * threads (bindings, shuffles, votes, roles, barriers, copies that are waited for) is
 * lowered to threads instead, of the simplest machine that has what it asks for, and
 * its thread program is executed as it is: by the executor of the simulator, without
 * those of its checks that cost something.  With them a launch takes some twenty times as
 * long; the note that a kernel is executed so says where they are to be had. */
#include <stdio.h>
#include <string.h>

#include "core/ir/walk.h"
#include "../sim/device.h"
#include "run.h"
#include "err/build.h"

static const char Plain[] = "sm_80", Hopper[] = "sm_90a";

typedef struct Speech Speech;
struct Speech {
    const Prog *p;
    bool threads, hopper;
    Loc at;        /* of the first statement that does */
};

static bool cthreads_speaks(void *ud, Ex e)
{
    const Speech *k = ud;
    const Expr *x = ex_at(k->p, e);
    const Var *v = x->op == Xvar ? &k->p->var[x->sym] : NULL;
    return (v && v->kind == Vthread && v->lo != v->hi) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

/* Of operations: those that start something, and those of threads and warps. */
static void op_of_threads(Speech *k, const Stmt *s)
{
    enum { GemmAsync = 5 }; /* of its attributes: T.wgmma_gemm */
    bool wgmma = s->op.op == Ogemm && s->op.attr[GemmAsync];
    if (s->op.op == Oimport_source || (opinfo[s->op.op].level == 'T' && opinfo[s->op.op].done == 's' && !wgmma))
        return;
    k->threads = true;
    switch ((enum Op)s->op.op) {
    case Oasync_copy: case Ocp_async: case Ocp_async_commit: case Ocp_async_wait:
    case Ocp_async_arrive: case Obar_sync: case Obar_arrive: case Owarp_sync:
    case Ofence_global: case Ombar_init: case Ombar_arrive: case Ombar_wait: case Ombar_fence:
        break;
    default: k->hopper = true;
    }
}

static bool speaks_of_threads(Stmt *s, void *ud)
{
    Speech *k = ud;
    bool before = k->threads;
    k->threads = before || stmt_any(k->p, s, cthreads_speaks, k);
    k->threads |= s->kind == Srole || s->own;
    k->threads |= s->kind == Scall && s->call.fn != Isync_threads && s->call.fn != Isync_warp;
    if (s->kind == Sop)
        op_of_threads(k, s);
    for (int i = 0; s->kind == Slaunch && i < MaxLaunchDim; i++)
        if (s->launch.cluster[i] > 1)
            k->threads = k->hopper = true;
    if (k->threads && !before)
        k->at = s->loc;
    return true;
}

const Machine *cpu_threads(Prog *p)
{
    Speech k = {.p = p};
    if (p->machine)
        return machine_find(p->machine);
    stmt_walk(p->body, speaks_of_threads, &k);
    const Machine *m = k.threads ? machine_find(k.hopper ? Hopper : Plain) : NULL;
    if (m)
        diag(&p->ctx, E_cpu_executor, k.at, m->name, NULL);
    return m;
}

const Machine *cpu_stands_for(void) { return machine_find(Plain); }

bool cpu_emit_threads(Prog *p, Str *out)
{
    str_fmt(out, "-- %s speaks of single threads: its thread program, which the cpu target executes\n",
            p->name ? p->name : "the kernel");
    prog_print(p, out);
    return sim_takes(p) && !out->bad;
}

/* In the worker --------------------------------------------------------------- */

bool cpu_is_threads(const char *path)
{
    char head[4] = "";
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f)
        fclose(f);
    return n == sizeof head && memcmp(head, "\177ELF", sizeof head) != 0;
}

void *cpu_executor(DevError *err) { return sim_device.open("-checks=lanes", err); }
