/* Canonical forms keep the value: random integer expressions are built twice,
 * as IR and as a plain tree evaluated directly, and compared on random
 * environments; and known identities give equal handles. */
#include <stdio.h>
#include <stdlib.h>

#include "core/ir/ir.h"
#include "../../targets/targets.h"
#include "err/kernel.h"

enum { NV = 4, Rounds = 20000 };

static uint64_t state = 88172645463325252u;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static int64_t fdiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* Builds a random expression and its value in env side by side. */
static Ex grow(Prog *p, const uint32_t *var, const int64_t *env, int depth, int64_t *v)
{
    static const int64_t divisor[] = {1, 2, 3, 4, 8, 12, 16, 32};
    if (depth == 0 || rnd(5) == 0) {
        if (rnd(3)) {
            uint32_t i = rnd(NV);
            *v = env[var[i]];
            return x_var(p, var[i]);
        }
        *v = (int64_t)rnd(40) - 10;
        return x_int(p, DTi32, *v);
    }
    int64_t a, b = 0, d = divisor[rnd(COUNT(divisor))];
    Ex x = grow(p, var, env, depth - 1, &a), y;
    switch (rnd(8)) {
    case 0: case 1:
        y = grow(p, var, env, depth - 1, &b);
        *v = a + b;
        return x_bin(p, Xadd, x, y);
    case 2:
        y = grow(p, var, env, depth - 1, &b);
        *v = a - b;
        return x_bin(p, Xsub, x, y);
    case 3:
        *v = a * d;
        return x_bin(p, Xmul, x, x_int(p, DTi32, d));
    case 4:
        *v = fdiv(a, d);
        return x_bin(p, Xfdiv, x, x_int(p, DTi32, d));
    case 5:
        *v = a - fdiv(a, d) * d;
        return x_bin(p, Xfmod, x, x_int(p, DTi32, d));
    case 6:
        y = grow(p, var, env, depth - 1, &b);
        *v = a < b ? a : b;
        return x_bin(p, Xmin, x, y);
    default:
        y = grow(p, var, env, depth - 1, &b);
        *v = a < b ? a : b + 1;
        return x_select(p, x_bin(p, Xlt, x, y), x, x_bin(p, Xadd, y, x_int(p, DTi32, 1)));
    }
}

static void random_values(Ctx *c, void *ud)
{
    Prog *p = ud;
    (void)c;
    static const char *const name[NV] = {"bx", "i", "j", "k"};
    static const int64_t hi[NV] = {7, 127, 31, 3};
    uint32_t var[NV];
    int64_t env[64] = {0};
    for (int i = 0; i < NV; i++)
        var[i] = p_var(p, Vloop, DTi32, name[i], 0, hi[i]);
    for (int r = 0; r < Rounds; r++) {
        for (int i = 0; i < NV; i++)
            env[var[i]] = rnd((uint32_t)hi[i] + 1);
        int64_t want, got, lo, top;
        Ex e = grow(p, var, env, 5, &want);
        bool ok = x_eval(p, e, env, &got);
        expect(ok && got == want, "canonical value");
        if (x_range(p, e, &lo, &top))
            expect(lo <= want && want <= top, "range holds");
    }
}

static void identities(Ctx *c, void *ud)
{
    Prog *p = ud;
    (void)c;
    Ex i = x_var(p, p_var(p, Vloop, DTi32, "i", 0, 31)), b = x_var(p, p_var(p, Vblock, DTi32, "bx", 0, 99));
    Ex k32 = x_int(p, DTi32, 32), k4 = x_int(p, DTi32, 4), one = x_int(p, DTi32, 1);
    Ex sum = x_bin(p, Xadd, i, x_bin(p, Xmul, b, k32));
    expect(sum == x_bin(p, Xadd, x_bin(p, Xmul, k32, b), i), "sums do not depend on order");
    expect(x_bin(p, Xfdiv, sum, k32) == b, "(32 b + i) // 32 = b");
    expect(x_bin(p, Xfmod, sum, k32) == i, "(32 b + i) % 32 = i");
    Ex q = x_bin(p, Xfdiv, i, k4), r = x_bin(p, Xfmod, i, k4);
    expect(x_bin(p, Xadd, x_bin(p, Xmul, q, k4), r) == i, "4 (i // 4) + i % 4 = i");
    expect(x_bin(p, Xfdiv, q, k4) == x_bin(p, Xfdiv, i, x_int(p, DTi32, 16)), "i // 4 // 4 = i // 16");
    expect(x_bin(p, Xsub, x_bin(p, Xmul, x_bin(p, Xadd, b, one), k32), x_bin(p, Xmul, b, k32)) == k32,
           "(b + 1) 32 - b 32 = 32");
    expect(x_bin(p, Xlt, i, k32) == x_int(p, DTbool, 1), "i < 32");
    expect(x_bin(p, Xmin, i, k32) == i, "min(i, 32) = i");
    Ex h = x_var(p, p_var(p, Vscalar, DTf16, "h", INT64_MIN, INT64_MAX));
    expect(ex_type(p, x_bin(p, Xmul, h, x_float(p, DTf32, 0.5))) == DTf16, "f16 * 0.5 is f16");
    expect(ex_type(p, x_bin(p, Xmul, i, x_float(p, DTf32, 0.5))) == DTf32, "i32 * 0.5 is f32");
    expect(ex_type(p, x_bin(p, Xmul, h, i)) == DTf16, "f16 * i32 is f16");
}

/* An integer expression and its value, which wraps. */
typedef struct Valued Valued;
struct Valued { Ex e; uint32_t v; };

static Valued plus(Prog *p, Valued a, Valued b) { return (Valued){x_bin(p, Xadd, a.e, b.e), a.v + b.v}; }

static Valued minus(Prog *p, Valued a, Valued b) { return (Valued){x_bin(p, Xsub, a.e, b.e), a.v - b.v}; }

static Valued times(Prog *p, Valued a, int k)
{
    return (Valued){x_bin(p, Xmul, a.e, x_int(p, DTi32, k)), a.v * (uint32_t)k};
}

/* The sum s with one more term, in the first `ways` of the ways to get there; old: a sum that s
 * was once. */
static Valued longer(Prog *p, Valued s, Valued *old, Valued term, uint32_t ways)
{
    Valued t = times(p, term, (int)rnd(5) - 1);
    switch (rnd(ways)) {
    case 0: return plus(p, s, t);
    case 1: return plus(p, t, s);
    case 2: return minus(p, s, t);
    case 3: return plus(p, s, (Valued){x_int(p, DTi32, 7), 7});
    case 4: return rnd(16) ? s : minus(p, t, s);
    case 5: return rnd(64) ? s : (*old = s);
    case 6: return rnd(64) ? s : minus(p, s, *old);
    default: return rnd(64) ? s : times(p, s, 3);
    }
}

/* Sums of any length keep their value. */
static void long_sums(Ctx *c, void *ud)
{
    enum { Terms = 1000, Steps = 3000, Ways = 8, Sums = 3 * Ways };
    Prog *p = ud;
    static int64_t env[64 + Terms];
    static Valued term[Terms];
    (void)c;
    for (int i = 0; i < Terms; i++) {
        uint32_t v = p_var(p, Vscalar, DTi32, "s", INT64_MIN, INT64_MAX);
        env[v] = (int32_t)rnd(UINT32_MAX);
        term[i] = (Valued){x_var(p, v), (uint32_t)env[v]};
    }
    for (int r = 0; r < Sums; r++) {
        Valued s = {x_int(p, DTi32, r), (uint32_t)r}, old = s;
        int64_t got;
        for (int i = 0; i < Steps; i++)
            s = longer(p, s, &old, term[r < Ways ? (uint32_t)i % Terms : rnd(Terms)], 1 + (uint32_t)r % Ways);
        expect(x_eval(p, s.e, env, &got) && (uint32_t)got == s.v, "value of a long sum");
        expect(x_bin(p, Xsub, s.e, s.e) == x_int(p, DTi32, 0), "a long sum less itself is 0");
    }
}

static void int_division(Ctx *c, void *ud)
{
    (void)c;
    x_bin(ud, Xdiv, x_int(ud, DTi32, 1), x_int(ud, DTi32, 2));
}

int main(void)
{
    targets_init();
    Prog *p = prog_new(NULL, "test");
    expect(p && ctx_try(&p->ctx, random_values, p), "random values unwound");
    expect(p && ctx_try(&p->ctx, identities, p), "identities unwound");
    expect(p && ctx_try(&p->ctx, long_sums, p), "long sums unwound");
    expect(p && !ctx_try(&p->ctx, int_division, p) && p->ctx.diags->err == E_int_div, "1 / 2 is refused");
    prog_free(p);
    return failures != 0;
}
