/* The verifier finds each way of breaking a program, and names the pass; the
 * reader, the printer and the checks live without memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/ir.h"
#include "../../targets/targets.h"
#include "err/ir.h"

static const char text[] =
    "kernel k(A, s) -> B\n"
    "  dim N: int32 in 1..\n"
    "  scalar s: float32\n"
    "  buffer A: global float32[N, 64]\n"
    "  buffer B: global float32[N, 64]\n"
    "  launch bx in (N + 63) // 64 threads 128 do\n"
    "    alloc t: shared float32[64, 64]\n"
    "    view u of t: int32[4096]\n"
    "    copy A[bx*64:+64, 0:+64] -> t\n"
    "    for i, j in parallel(64, 64) do\n"
    "      if i < j then\n"
    "        t[i, j] = t[i, j]*s + exp(float32(j))\n"
    "      end\n"
    "    end\n"
    "    while u[0] < 3 do\n"
    "      let x = u[1] + 1\n"
    "      u[0] = x\n"
    "      break\n"
    "    end\n"
    "    atomic sum A[0, 0], 1\n"
    "    copy t -> B[bx*64:+64, 0:+64]\n"
    "  end\n"
    "end\n";

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        printf("failed: %s\n", what);
        failures++;
    }
}

/* Statements of the text above. */
typedef struct Parts Parts;
struct Parts {
    Stmt *launch, *alloc, *copy, *loop, *branch, *store, *whil, *let, *jump, *atomic;
};

static Parts parts(Prog *p)
{
    Parts k = {.launch = p->body};
    k.alloc = k.launch->launch.body;
    k.copy = k.alloc->next;
    k.loop = k.copy->next;
    k.branch = k.loop->loop.body;
    k.store = k.branch->cond.then;
    k.whil = k.loop->next;
    k.let = k.whil->whil.body;
    k.jump = k.let->next->next;
    k.atomic = k.whil->next;
    return k;
}

typedef void Break(Prog *p, Parts k);

static void b_frame(Prog *p, Parts k) { (void)k; p->nframe = 1; }
static void b_op(Prog *p, Parts k) { (void)p; k.copy->op.op = NOp; }
static void b_region(Prog *p, Parts k) { (void)p; k.copy->op.r[0].min[1] = 0; }
static void b_buffer(Prog *p, Parts k) { k.store->store.buf = p->nbuf; }
static void b_type(Prog *p, Parts k) { (void)p; k.store->store.value = k.store->store.idx[0]; }
static void b_index(Prog *p, Parts k) { (void)p; k.store->store.idx[1] = k.store->store.value; }
static void b_scope(Prog *p, Parts k) { (void)p; k.atomic->atomic.idx[0] = k.store->store.idx[0]; }
static void b_twice(Prog *p, Parts k) { (void)p; k.loop->loop.var[1] = k.loop->loop.var[0]; }
static void b_var(Prog *p, Parts k) { (void)p; k.let->let.var = 9999; }
static void b_condition(Prog *p, Parts k) { (void)p; k.branch->cond.cond = k.loop->loop.hi[0]; }
static void b_jump(Prog *p, Parts k) { (void)p; k.alloc->kind = Sbreak; }
static void b_nested(Prog *p, Parts k) { (void)p; k.whil->kind = Slaunch; }
static void b_kind(Prog *p, Parts k) { (void)p; k.atomic->kind = NStmt; }
static void b_atomic(Prog *p, Parts k) { (void)p; k.atomic->atomic.lanes = 3; }
static void b_loop(Prog *p, Parts k) { (void)p; k.loop->loop.kind = NFor; }
static void b_node(Prog *p, Parts k) { p->ex[k.store->store.value].op = Xshl; }
static void b_arity(Prog *p, Parts k) { p->ex[k.store->store.value].n = 1; }
static void b_order(Prog *p, Parts k)
{
    Ex e = k.store->store.value;
    Ex *arg = malloc(2 * sizeof *arg); /* an operand made later than its user */
    if (!arg)
        abort();
    arg[0] = e;
    arg[1] = e;
    p->ex[e].arg = arg;
}
static void b_view(Prog *p, Parts k) { p->buf[k.alloc->alloc.buf + 1].base = 77; }
static void b_out(Prog *p, Parts k) { (void)k; p->out[0] = 99; }
static void b_outside(Prog *p, Parts k) { (void)k; p->body = p->body->launch.body; }

static const struct { Break *f; const char *what; } ways[] = {
    {b_frame, "an open frame"},       {b_op, "an unknown operation"},
    {b_region, "a region with a hole"}, {b_buffer, "an unknown buffer"},
    {b_type, "a store of another type"}, {b_index, "a float index"},
    {b_scope, "a variable outside of its block"}, {b_twice, "a variable declared twice"},
    {b_var, "an unknown variable"},   {b_condition, "a condition that is no bool"},
    {b_jump, "a break outside of a loop"}, {b_nested, "a nested launch"},
    {b_kind, "an unknown statement"}, {b_atomic, "an atomic with three lanes"},
    {b_loop, "an unknown loop"},      {b_node, "a node of mixed types"},
    {b_arity, "a node with an operand missing"}, {b_order, "a node that uses itself"},
    {b_view, "a view of nothing"},    {b_out, "an unknown output"},
    {b_outside, "statements outside of the launch"},
};

static void breaking(void)
{
    for (size_t i = 0; i < COUNT(ways); i++) {
        Prog *p = prog_parse(NULL, text, sizeof text - 1, "ir");
        if (!p || p->ctx.nerror || !prog_verify(p, "trace")) {
            expect(false, "the program is sound");
            prog_free(p);
            return;
        }
        Parts k = parts(p);
        ways[i].f(p, k);
        bool found = !prog_verify(p, "lower") && p->ctx.diags->err == E_bug;
        expect(found && strstr(p->ctx.diags->arg[0], "`lower`"), ways[i].what);
        Str s = {0};
        if (ways[i].f != b_order && ways[i].f != b_node && ways[i].f != b_arity &&
            ways[i].f != b_var && ways[i].f != b_nested && ways[i].f != b_jump)
            prog_print(p, &s); /* for the report of the bug: must not fall over */
        str_free(&s);
        if (ways[i].f == b_order) {
            union { const Ex *c; void *m; } arg = {p->ex[k.store->store.value].arg};
            free(arg.m);
        }
        prog_free(p);
    }
}

/* Thread programs ------------------------------------------------------ */

static const char threads[] =
    "kernel k(A) machine sm_90a\n"
    "  buffer A: global float32[512]\n"
    "  launch bx in 4 threads tid in 128 shared=1040 do\n"
    "    alloc s: shared float32[16, 16] at=0 map=\"[16,16] off(1/1:16*1 0/1:16*16) xor(2,2,2)\"\n"
    "    alloc bar: barrier uint64[2] at=1024\n"
    "    alloc c: local float32[4] map=\"[16,8] lane(1/2:4*1 0/1:8*4) reg(1/1:2*1 0/8:2*2)\"\n"
    "    for v in vectorized(4) do\n"
    "      c[v] = A[tid*4 + v]\n"
    "    end\n"
    "    role 0..64 \"first\" do\n"
    "      mbar_wait bar[1], tid % 2\n"
    "    end\n"
    "    role 64..128 do\n"
    "      mbar_arrive bar[1], -1\n"
    "    end\n"
    "  end\n"
    "end\n";

typedef struct Tparts Tparts;
struct Tparts { Stmt *launch, *shared, *bar, *regs, *vector, *role, *wait; };

static Tparts tparts(Prog *p)
{
    Tparts k = {.launch = p->body};
    k.shared = k.launch->launch.body;
    k.bar = k.shared->next;
    k.regs = k.bar->next;
    k.vector = k.regs->next;
    k.role = k.vector->next;
    k.wait = k.role->role.body;
    return k;
}

typedef void Tbreak(Prog *p, Tparts k);

static void t_machine(Prog *p, Tparts k) { (void)k; p->machine = "none"; }
static void t_shared(Prog *p, Tparts k) { (void)p; k.launch->launch.shared = 1032; }
static void t_much(Prog *p, Tparts k) { (void)p; k.launch->launch.shared = 1 << 20; }
static void t_place(Prog *p, Tparts k) { p->buf[k.bar->alloc.buf].at = -1; }
static void t_align(Prog *p, Tparts k) { p->buf[k.bar->alloc.buf].at = 1020; }
static void t_scope(Prog *p, Tparts k) { p->buf[k.regs->alloc.buf].scope = SCfragment; }
static void t_map(Prog *p, Tparts k)
{
    p->buf[k.shared->alloc.buf].map = p->buf[k.regs->alloc.buf].map;
}
static void t_loop(Prog *p, Tparts k) { (void)p; k.vector->loop.kind = Fparallel; }
static void t_bounds(Prog *p, Tparts k) { k.vector->loop.hi[0] = x_var(p, k.launch->launch.block[0]); }
static void t_step(Prog *p, Tparts k) { k.vector->loop.body->store.idx[0] = x_int(p, DTi32, 0); }
static void t_slot(Prog *p, Tparts k)
{
    k.vector->loop.body->store.idx[0] = x_var(p, k.launch->launch.thread[0]);
}
static void t_role(Prog *p, Tparts k) { (void)p; k.role->role.hi = 48; }
static void t_behind(Prog *p, Tparts k) { (void)p; k.role->next->role.hi = 160; }
static void t_empty(Prog *p, Tparts k) { (void)p; k.role->role.hi = 0; }
static void t_nested(Prog *p, Tparts k)
{
    (void)p;
    k.role->role.body = k.role->next;
    k.role->next = NULL;
}
static void t_op(Prog *p, Tparts k) { (void)p; k.wait->op.op = Opipe_wait; }
static void t_tile(Prog *p, Tparts k) { (void)p; k.wait->op.op = Ofill; }
static void t_feature(Prog *p, Tparts k) { (void)k; p->machine = "simt"; }

static const struct { Tbreak *f; bool holds; const char *what; } tways[] = {
    {t_machine, false, "an unknown machine"},      {t_shared, false, "too little shared memory"},
    {t_much, false, "more than the machine has"},  {t_place, false, "a barrier without a place"},
    {t_align, false, "a barrier out of line"},     {t_scope, false, "a fragment"},
    {t_map, false, "a map of registers in memory"}, {t_loop, false, "a parallel loop"},
    {t_bounds, false, "a vector of unknown length"}, {t_step, true, "one slot for all of a vector"},
    {t_slot, false, "a slot that the thread chooses"}, {t_role, false, "half a warp"},
    {t_behind, false, "a role behind the block"},  {t_empty, false, "a role without threads"},
    {t_nested, false, "a role in a role"},         {t_op, false, "an operation on rings"},
    {t_tile, false, "a tile operation"},           {t_feature, false, "mbarriers on a plain machine"},
};

static void thread_programs(void)
{
    for (size_t i = 0; i < COUNT(tways); i++) {
        Prog *p = prog_parse(NULL, threads, sizeof threads - 1, "ir");
        bool sound = p && !p->ctx.nerror && prog_verify(p, "lower");
        expect(sound, "the thread program is sound");
        if (sound) {
            tways[i].f(p, tparts(p));
            bool holds = prog_verify(p, "lower");
            Err e = holds ? E_none : p->ctx.diags->err;
            bool asked = e == E_machine_limit || e == E_machine_op; /* too much, by the user */
            expect(holds == tways[i].holds && (holds || asked || e == E_bug), tways[i].what);
        }
        prog_free(p);
    }
}

/* Lack of memory ------------------------------------------------------- */

typedef struct Count Count;
struct Count { long left, live; };

static void *scarce(void *ud, void *p, size_t n)
{
    Count *c = ud;
    if (n && c->left-- <= 0)
        return NULL;
    if (!p && n)
        c->live++;
    if (p && !n)
        c->live--;
    return mem_libc.alloc(NULL, p, n);
}

static void starve(const char *of, size_t len)
{
    for (long n = 0; n < 40; n++) {
        Count c = {n, 0};
        Mem m = {scarce, &c};
        Str s = {0};
        Prog *p = prog_parse(&m, of, len, "ir");
        if (p && p->ctx.nerror == 0) {
            prog_verify(p, "parse");
            prog_check(p);
            prog_print(p, &s);
        }
        if (p)
            prog_free(p);
        str_free(&s);
        expect(c.live == 0, "memory comes back");
    }
}

int main(void)
{
    targets_init();
    breaking();
    thread_programs();
    starve(text, sizeof text - 1);
    starve(threads, sizeof threads - 1);
    return failures != 0;
}
