/* The checks of bounds and of races against brute force: random T.Parallel
 * nests over a tile, with affine and other indices, conditions and an inner
 * loop, are run through all iterations; the checks must report exactly what
 * that finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/ir.h"
#include "../../targets/targets.h"
#include "err/check.h"

enum { Rounds = 4000, MaxStores = 2, Rows = 8, Cols = 8 };

static uint64_t state = 0x2545f4914f6cdd1du;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

/* A nest: for b in launch, for i, j in parallel, for k in serial: statements. */
enum { B, I, J, K, NV };

typedef struct Case Case;
struct Case {
    Prog *p;
    uint32_t buf, other, var[NV];
    int extent[NV];
    int n;                /* statements */
    Ex store[MaxStores][2], load[MaxStores][2], guard[MaxStores];
    bool loads[MaxStores];
};

static Ex num(Prog *p, int64_t v) { return x_int(p, DTi32, v); }

/* A random index; mostly affine. */
static Ex index_expr(Case *c, int size)
{
    Prog *p = c->p;
    static const int coef[] = {0, 0, 0, 0, 1, 1, 1, 2, 4, -1};
    Ex e = num(p, rnd(3) ? 0 : (int64_t)rnd(5) - 1);
    for (int v = 0; v < NV; v++)
        e = x_bin(p, Xadd, e, x_bin(p, Xmul, x_var(p, c->var[v]), num(p, coef[rnd(COUNT(coef))])));
    switch (rnd(9)) {
    case 0: case 6: case 7: return x_bin(p, Xfmod, e, num(p, size));
    case 1: return x_bin(p, Xfdiv, e, num(p, 2));
    case 2: return x_bin(p, Xbxor, x_bin(p, Xband, e, num(p, size - 1)), num(p, rnd(4)));
    case 3: return x_bin(p, Xmin, e, num(p, size - 1));
    default: return e;
    }
}

static Ex guard_expr(Case *c)
{
    static const enum Xop op[] = {Xlt, Xle, Xeq, Xne};
    Prog *p = c->p;
    Ex a = x_var(p, c->var[rnd(NV)]), b = rnd(2) ? x_var(p, c->var[rnd(NV)]) : num(p, rnd(6));
    Ex e = x_bin(p, op[rnd(4)], a, b);
    return rnd(4) ? e : x_bin(p, Xand, e, x_bin(p, Xle, x_var(p, c->var[I]), num(p, rnd(6))));
}

static void build(Ctx *ctx, void *ud)
{
    (void)ctx;
    Case *c = ud;
    Prog *p = c->p;
    Ex lo[2] = {num(p, 0), num(p, 0)}, hi[2], shape[2] = {num(p, Rows), num(p, Cols)};
    const char *names[] = {"i", "j"}, *k = "k", *b = "b";
    c->other = p_buf(p, SCglobal, DTf32, "A", (Ex[]){num(p, 64)}, NULL, 1);
    p_param(p, false, c->other);
    for (int v = 0; v < NV; v++)
        c->extent[v] = 1 + (int)rnd(v == B ? 3 : 6);
    Ex grid = num(p, c->extent[B]);
    Stmt *s = s_launch(p, &grid, 1, (int32_t[]){32}, 1, &b);
    c->var[B] = s->launch.block[0];
    c->buf = p_buf(p, rnd(2) ? SCshared : SCfragment, DTf32, "S", shape, NULL, 2);
    s_alloc(p, c->buf, 0);
    Region r = r_whole(p, c->buf);
    s_op(p, Ofill, &r, x_float(p, DTf32, 0), NULL, NULL);
    hi[0] = num(p, c->extent[I]);
    hi[1] = num(p, c->extent[J]);
    s = s_for(p, Fparallel, lo, hi, 2, 0, names);
    c->var[I] = s->loop.var[0];
    c->var[J] = s->loop.var[1];
    hi[0] = num(p, c->extent[K]);
    s = s_for(p, Fserial, lo, hi, 1, 0, &k);
    c->var[K] = s->loop.var[0];
    c->n = 1 + (int)rnd(MaxStores);
    for (int i = 0; i < c->n; i++) {
        if ((c->guard[i] = rnd(3) ? 0 : guard_expr(c)))
            s_if(p, c->guard[i]);
        c->store[i][0] = index_expr(c, Rows);
        c->store[i][1] = index_expr(c, Cols);
        Ex value = x_load(p, c->other, (Ex[]){x_var(p, c->var[I])}, 1);
        if ((c->loads[i] = rnd(2))) {
            c->load[i][0] = rnd(2) ? c->store[i][0] : index_expr(c, Rows);
            c->load[i][1] = rnd(2) ? c->store[i][1] : index_expr(c, Cols);
            value = x_bin(p, Xadd, value, x_load(p, c->buf, c->load[i], 2));
        }
        s_store(p, c->buf, c->store[i], 2, value);
        if (c->guard[i])
            s_close(p);
    }
    s_close(p);
    s_close(p);
    r = r_whole(p, c->buf); /* so that the tile is used */
    s_op(p, Oprint, &r, 0, NULL, NULL);
    s_close(p);
}

/* What brute force finds. */
typedef struct Truth Truth;
struct Truth {
    bool outside, meets;
    int writer[Rows][Cols], reader[Rows][Cols], reader2[Rows][Cols];
};

static bool element(const Case *c, const Ex idx[2], const int64_t *env, int64_t *r, int64_t *q)
{
    if (!x_eval(c->p, idx[0], env, r) || !x_eval(c->p, idx[1], env, q))
        abort();
    return *r >= 0 && *r < Rows && *q >= 0 && *q < Cols;
}

static void touch(const Case *c, Truth *t, const Ex idx[2], const int64_t *env, int me, bool writes)
{
    int64_t r, q;
    element(c, idx, env, &r, &q);
    if (r < 0 || r >= Rows || q < 0 || q >= Cols) {
        t->outside = true;
        return;
    }
    int w = t->writer[r][q];
    t->meets |= w && w != me;
    if (writes) {
        int a = t->reader[r][q], b = t->reader2[r][q];
        t->meets |= (a && a != me) || (b && b != me);
        t->writer[r][q] = me;
    } else if (!t->reader[r][q] || t->reader[r][q] == me) {
        t->reader[r][q] = me;
    } else {
        t->reader2[r][q] = me;
    }
}

static void iterate(const Case *c, Truth *t, int64_t *env)
{
    int64_t v;
    int me = (int)(env[c->var[I]] * 16 + env[c->var[J]] + 1);
    for (int i = 0; i < c->n; i++) {
        if (c->guard[i] && (!x_eval(c->p, c->guard[i], env, &v) || !v))
            continue;
        if (c->loads[i])
            touch(c, t, c->load[i], env, me, false);
        touch(c, t, c->store[i], env, me, true);
    }
}

static Truth brute(const Case *c)
{
    Truth all = {0};
    int64_t *env = calloc(c->p->nvar, sizeof *env);
    for (int b = 0; env && b < c->extent[B]; b++) {
        Truth t = {0};
        for (int i = 0; i < c->extent[I]; i++)
            for (int j = 0; j < c->extent[J]; j++)
                for (int k = 0; k < c->extent[K]; k++) {
                    env[c->var[B]] = b;
                    env[c->var[I]] = i;
                    env[c->var[J]] = j;
                    env[c->var[K]] = k;
                    iterate(c, &t, env);
                }
        all.outside |= t.outside;
        all.meets |= t.meets;
    }
    free(env);
    return all;
}

static bool reported(const Prog *p, const Err *e, int n)
{
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        for (int i = 0; i < n; i++)
            if (d->err == e[i])
                return true;
    return false;
}

static int wrong(const Case *c, const char *what, bool found)
{
    Str s = {0};
    prog_print(c->p, &s);
    for (const Diag *d = c->p->ctx.diags; d; d = d->next)
        diag_render(&s, &c->p->ctx, d, LANGen, false, NULL, NULL);
    printf("%s: brute force %s, the check does not agree:\n%s\n", what,
           found ? "finds one" : "finds none", s.s ? s.s : "");
    str_free(&s);
    return 1;
}

int main(int argc, char **argv)
{
    targets_init();
    static const Err bounds[] = {E_index_range, E_index_fixed};
    static const Err races[] = {E_race_write, E_race_accum, E_race_read, E_race_maybe};
    int failures = 0, outside = 0, meets = 0;
    if (argc > 1)
        state ^= strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < Rounds && failures < 3; i++) {
        Case c = {.p = prog_new(NULL, "case")};
        if (!c.p || !ctx_try(&c.p->ctx, build, &c))
            return 1;
        Truth t = brute(&c);
        prog_check(c.p);
        if (reported(c.p, bounds, COUNT(bounds)) != t.outside)
            failures += wrong(&c, "bounds", t.outside);
        else if (!t.outside && reported(c.p, races, COUNT(races)) != t.meets)
            failures += wrong(&c, "race", t.meets);
        outside += t.outside;
        meets += !t.outside && t.meets;
        prog_free(c.p);
    }
    printf("%d nests: %d out of bounds, %d with races\n", Rounds, outside, meets);
    return failures != 0;
}
