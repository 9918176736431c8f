/* Layouts that the solver chose, checked by enumeration: programs of random
 * nests, slices, projections and reductions over fragments of odd sizes, for
 * odd numbers of threads, on every kind of machine.  Behind the pass "layouts"
 *   - every nest covers its iterations, with threads that exist
 *   - every access of a fragment finds its element in the slots of the thread
 *     that makes it, at a slot that is the same for all threads
 *   - a store reaches every copy of what it stores to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lower/build/low.h"
#include "core/lower/lower.h"
#include "core/ir/walk.h"
#include "../../targets/targets.h"
#include "times.h"

enum { Programs = TIMES(600, 150), MaxText = 1 << 14 };

static uint64_t state = 88172645463325252u;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

/* Checking --------------------------------------------------------------- */

typedef struct Check Check;
struct Check {
    Prog *p;
    const Machine *m;
    int threads, bad;
    const Stmt *nest;
    const Layout *loop;
    int64_t *env;
};

static void wrong(Check *c, const char *what, uint32_t buf)
{
    if (c->bad++ == 0)
        printf("%s: line %u: %s%s%s\n", c->m->name, (unsigned)c->nest->loc.line,
               buf ? c->p->buf[buf].name : "", buf ? " " : "", what);
}

static Spot spot(int64_t reg, int lane, int64_t warp)
{
    return (Spot){{[AXreg] = reg, [AXlane] = lane, [AXwarp] = warp}};
}

/* A place on an axis as that of its first copy. */
static int64_t first_copy(const Layout *map, enum Axis a, int64_t v)
{
    for (int i = 0; i < map->nb; i++)
        if (map->b[i].axis == a)
            v -= v / map->b[i].stride % map->b[i].extent * map->b[i].stride;
    return v;
}

/* Slot in which this thread holds element idx, or -1. */
static int64_t slot_of(const Layout *map, const int32_t *idx, int lane, int64_t warp)
{
    Spot at = layout_eval(map, idx);
    bool here = warp < layout_extent(map, AXwarp) &&
                first_copy(map, AXlane, lane) == at.at[AXlane] &&
                first_copy(map, AXwarp, warp) == at.at[AXwarp];
    return here ? at.at[AXreg] : -1;
}

static int64_t linear(const Layout *map, const int32_t *idx)
{
    int64_t v = 0;
    for (int d = 0; d < map->ndim; d++)
        v = v * map->size[d] + idx[d];
    return v;
}

static int64_t volume(const Layout *map)
{
    int64_t n = 1;
    for (int d = 0; d < map->ndim; d++)
        n *= map->size[d];
    return n;
}

/* The element that an access reaches at an iteration; false: outside. */
static bool element(Check *c, const Layout *map, const Ex *ix, int32_t *idx)
{
    for (int d = 0; d < map->ndim; d++) {
        int64_t v;
        if (!x_eval(c->p, ix[d], c->env, &v)) {
            wrong(c, "an index that cannot be evaluated", 0);
            return false;
        }
        if (v < 0 || v >= map->size[d])
            return false;
        idx[d] = (int32_t)v;
    }
    return true;
}

static bool at_thread(Check *c, int64_t reg, int lane, int64_t warp)
{
    int32_t k[LayDims];
    Spot at = spot(reg, lane, warp);
    if (warp * c->m->warp + lane >= c->threads || !layout_invert(c->loop, &at, k))
        return false;
    for (int i = 0; i < c->nest->loop.n; i++)
        c->env[c->nest->loop.var[i]] = k[i];
    return true;
}

/* Every copy of every element that was reached has been written. */
static void all_copies(Check *c, uint32_t buf, const Layout *map, const char *done,
                       const char *reached)
{
    int lanes = c->m->warp;
    int64_t warps = layout_extent(map, AXwarp), slots = layout_extent(map, AXreg);
    for (int64_t t = 0; t < slots; t++)
        for (int64_t w = 0; w < warps; w++)
            for (int lane = 0; lane < lanes; lane++) {
                int32_t k[LayDims];
                Spot at = spot(t, lane, w);
                if (w * lanes + lane < c->threads && layout_invert(map, &at, k) &&
                    reached[linear(map, k)] && !done[(t * warps + w) * lanes + lane]) {
                    wrong(c, "has a copy that a store does not reach", buf);
                    return;
                }
            }
}

static void access_one(Check *c, uint32_t buf, const Ex *ix, bool write)
{
    const Layout *map = c->p->buf[buf].map;
    if (c->p->buf[buf].scope != SCfragment)
        return;
    if (!map) {
        wrong(c, "has no layout", buf);
        return;
    }
    int lanes = c->m->warp;
    int64_t warps = layout_extent(map, AXwarp), lw = layout_extent(c->loop, AXwarp);
    char *done = calloc(1, (size_t)(layout_extent(map, AXreg) * warps * lanes));
    char *reached = calloc(1, (size_t)volume(map));
    for (int64_t r = 0; done && reached && r < layout_extent(c->loop, AXreg); r++) {
        int64_t same = -1;
        for (int64_t w = 0; w < lw; w++)
            for (int lane = 0; lane < lanes; lane++) {
                int32_t idx[LayDims];
                if (!at_thread(c, r, lane, w) || !element(c, map, ix, idx))
                    continue;
                int64_t slot = slot_of(map, idx, lane, w);
                if (slot < 0)
                    wrong(c, "is not held by a thread that uses it", buf);
                else if (same >= 0 && slot != same)
                    wrong(c, "stands in different slots", buf);
                if (slot < 0)
                    goto out;
                same = slot;
                reached[linear(map, idx)] = 1;
                done[(slot * warps + w) * lanes + lane] = 1;
            }
    }
    if (write && done && reached)
        all_copies(c, buf, map, done, reached);
out:
    free(done);
    free(reached);
}

static bool loads(void *ud, Ex e)
{
    Check *c = ud;
    const Expr *x = ex_at(c->p, e);
    if (x->op == Xload)
        access_one(c, x->sym, x->arg, false);
    for (int i = 0; i < x->n; i++)
        loads(c, x->arg[i]);
    return true;
}

static bool inside(Stmt *s, void *ud)
{
    Check *c = ud;
    stmt_exprs(c->p, s, loads, c);
    if (s->kind == Sstore)
        access_one(c, s->store.buf, s->store.idx, true);
    return true;
}

static void covers(Check *c)
{
    char *seen = calloc(1, (size_t)volume(c->loop));
    for (int64_t r = 0; seen && r < layout_extent(c->loop, AXreg); r++)
        for (int t = 0; t < c->threads; t++) {
            int32_t k[LayDims];
            Spot at = spot(r, t % c->m->warp, t / c->m->warp);
            if (at.at[AXwarp] < layout_extent(c->loop, AXwarp) && layout_invert(c->loop, &at, k))
                seen[linear(c->loop, k)] = 1;
        }
    for (int64_t i = 0; seen && i < volume(c->loop); i++)
        if (!seen[i]) {
            wrong(c, "an iteration that no thread does", 0);
            break;
        }
    free(seen);
}

static bool statement(Stmt *s, void *ud)
{
    Check *c = ud;
    if (s->kind != Sfor || s->loop.kind != Fparallel)
        return true;
    c->nest = s;
    if (!s->loop.plan) {
        wrong(c, "a nest without a plan", 0);
        return true;
    }
    c->loop = &s->loop.plan->loop;
    const char *why = layout_check(c->loop, c->m->warp);
    if (why)
        wrong(c, why, 0);
    covers(c);
    stmt_walk(s->loop.body, inside, c);
    return true;
}

static bool threads(Stmt *s, void *ud)
{
    Check *c = ud;
    for (int i = 0; s->kind == Slaunch && i < s->launch.nthread; i++)
        c->threads = (i ? c->threads : 1) * s->launch.threads[i];
    return true;
}

/* Lowers text for m as far as layouts and checks them; failures. */
static int check(const char *text, const char *machine)
{
    Prog *p = prog_parse(&mem_libc, text, strlen(text), "solve.ir");
    if (!p)
        return 1;
    Check c = {.p = p, .m = machine_find(machine)};
    if (!c.m || p->ctx.nerror || !prog_lower(p, c.m, "layouts")) {
        Str out = {0};
        for (const Diag *d = p->ctx.diags; d; d = d->next)
            if (err_info(d->err)->level == Lerror)
                diag_render(&out, &p->ctx, d, LANGen, false, NULL, NULL);
        printf("%s does not lower: %s", machine, out.s ? out.s : "\n");
        str_free(&out);
        c.bad++;
    } else {
        c.env = calloc(p->nvar + 1, sizeof *c.env);
        stmt_walk(p->body, threads, &c);
        if (c.env)
            stmt_walk(p->body, statement, &c);
        free(c.env);
    }
    prog_free(p);
    return c.bad;
}

/* Programs --------------------------------------------------------------- */

typedef struct Text Text;
struct Text { char s[MaxText]; size_t n; };

PRINTF(2, 3) static void say(Text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(t->s + t->n, sizeof t->s - t->n, fmt, ap);
    va_end(ap);
    if (k > 0 && (size_t)k < sizeof t->s - t->n)
        t->n += (size_t)k;
}

static const int sizes[] = {1, 2, 3, 5, 8, 16, 24, 33, 48, 64, 80, 192};
static const int counts[] = {16, 32, 48, 64, 96, 128, 192, 256};
static const char *const types[] = {"float16", "float32", "int8", "float64"};

/* F[m, n] from memory; then some of: a reduction along either dimension used
 * by a nest, a transposed read, digits of a dimension, a slice, a diagonal, an
 * index that a loop around gives, a reshape. */
static void program(Text *t)
{
    int m = sizes[rnd(COUNT(sizes))], n = sizes[rnd(COUNT(sizes))], dim = (int)rnd(2);
    const char *dt = types[rnd(COUNT(types))];
    int less = m < n ? m : n, c = n % 8 == 0 ? 8 : n % 3 == 0 ? 3 : 1;
    t->n = 0;
    say(t, "kernel k(A, B, C, D, E) -> B, C, D, E\n"
           "  buffer A: global %s[%d, %d]\n  buffer B: global float32[%d, %d]\n"
           "  buffer C: global %s[%d]\n  buffer D: global float32[%d]\n"
           "  buffer E: global %s[%d, %d]\n",
        dt, m, n, n, m, dt, m * n, dim ? m : n, dt, m, n);
    say(t, "  launch bx in 1 threads %d do\n", counts[rnd(COUNT(counts))]);
    say(t, "    alloc F: fragment %s[%d, %d]\n    alloc R: fragment float32[%d]\n"
           "    alloc S: fragment float32[%d, %d]\n    copy A -> F\n    fill S, 1.0\n",
        dt, m, n, dim ? m : n, m, n / c);
    say(t, "    reduce F -> R kind=sum dim=%d clear=1\n", dim);
    if (rnd(2))
        say(t, "    for i, j in parallel(%d, %d) do\n      B[j, i] = float32(F[i, j])*R[%s]\n"
               "    end\n", m, n, dim ? "i" : "j");
    if (rnd(2))
        say(t, "    for i, j in parallel(%d, %d) do\n"
               "      B[i, j] = float32(F[j, i]) + S[j, i // %d]\n    end\n", n, m, c);
    if (rnd(2))
        say(t, "    for i in parallel(%d) do\n      C[i] = F[i // %d, i %% %d]\n    end\n",
            m * n, n, n);
    if (rnd(3) == 0)
        say(t, "    for i in parallel(%d) do\n      E[i, 0] = F[i, i]\n    end\n", less);
    if (rnd(3) == 0)
        say(t, "    for k in serial(%d) step=1 do\n      for i in parallel(%d) do\n"
               "        F[i, k] = F[i, k] + F[i, %d]\n      end\n    end\n", n, m, n - 1);
    if (n > 4 && rnd(2))
        say(t, "    for i, j in parallel(%d, %d) do\n      E[i, j] = F[i, j + %d]\n    end\n", m,
            n / 2, (int)rnd(3));
    if (rnd(2))
        say(t, "    for i in parallel(%d) do\n      D[i] = R[i]*2.0\n    end\n", dim ? m : n);
    say(t, "    copy F -> E\n  end\nend\n");
}

int main(void)
{
    targets_init();
    static const char *const machine[] = {"sm_80", "simt", "gfx942", "sm_90a"};
    Text *t = malloc(sizeof *t);
    int bad = 0;
    for (int i = 0; t && i < Programs && bad < 5; i++) {
        program(t);
        int k = check(t->s, machine[i % (int)COUNT(machine)]);
        if (k)
            printf("%s\n", t->s);
        bad += k != 0;
    }
    free(t);
    return bad ? 1 : 0;
}
