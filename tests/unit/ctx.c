/* Contexts under an allocator that fails on the n-th call: building a program
 * either works or ends in E_memory, never in a crash or a leak; and a message
 * is rendered with its line and carets, tabs and wide characters included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/ir.h"
#include "err/kernel.h"

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        printf("failed: %s\n", what);
        failures++;
    }
}

typedef struct Budget { int left, live; } Budget;

static void *stingy(void *ud, void *p, size_t n)
{
    Budget *b = ud;
    if (n == 0) {
        b->live -= p != NULL;
        free(p);
        return NULL;
    }
    if (b->left-- <= 0)
        return NULL;
    b->live += p == NULL;
    return realloc(p, n);
}

/* A kernel large enough to need several chunks. */
static void build(Ctx *c, void *ud)
{
    Prog *p = ud;
    (void)c;
    Ex n = x_int(p, DTi32, 1024), zero = x_int(p, DTi32, 0);
    uint32_t a = p_buf(p, SCglobal, DTf32, "A", (Ex[]){n, n}, NULL, 2);
    p_param(p, false, a);
    s_launch(p, (Ex[]){n}, 1, (int32_t[]){128}, 1, NULL);
    Ex row = x_var(p, p->frame[0]->launch.block[0]);
    for (int k = 0; k < 3000; k++) {
        s_for(p, Fserial, &zero, &n, 1, 0, NULL);
        Ex i = x_var(p, p->frame[1]->loop.var[0]);
        Ex idx[] = {row, x_bin(p, Xfmod, x_bin(p, Xadd, i, x_int(p, DTi32, k)), n)};
        s_store(p, a, idx, 2, x_bin(p, Xadd, x_load(p, a, idx, 2), x_float(p, DTf32, k)));
        s_close(p);
    }
    s_close(p);
}

static void starve(void)
{
    int n = 0;
    bool done = false;
    for (; !done && n < 400; n++) {
        Budget b = {n, 0};
        Mem mem = {stingy, &b};
        Prog *p = prog_new(&mem, "k");
        if (p) {
            done = ctx_try(&p->ctx, build, p);
            expect(done || (p->ctx.nerror && p->ctx.diags->err == E_memory), "E_memory is said");
            prog_free(p);
        }
        expect(b.live == 0, "nothing leaks");
    }
    expect(done && n > 10, "it works in the end");
}

static const char *const text[] = {"local s = 1", "\tT.gemm(As, Bs, Cl)", "    -- 中文 T.copy(A)"};

static const char *source(void *ud, const char *file, uint32_t line, size_t *len)
{
    (void)ud;
    (void)file;
    if (line > COUNT(text))
        return NULL;
    *len = strlen(text[line - 1]);
    return text[line - 1];
}

static void speak(Ctx *c, void *ud)
{
    (void)ud;
    uint16_t f = ctx_file(c, "@k.lua");
    diag(c, E_gemm_k, (Loc){f, 2, 2}, "(128, 32)", "(64, 32)", "32", "64", NULL);
    diag(c, E_jump_outside, (Loc){f, 15, 3}, "break", NULL);
    diag(c, E_int_div, (Loc){0}, "int32", "int64", NULL);
}

static void render(void)
{
    static const char want[] =
        "k.lua:2:2: error[E140]: shapes do not agree in T.gemm\n"
        "    2 | \tT.gemm(As, Bs, Cl)\n"
        "      | \t^^^^^^ A is (128, 32), B is (64, 32): inner dimensions 32 and 64 differ\n"
        "help: A must have as many columns as B has rows\n"
        "k.lua:3:15: error[E128]: `break` outside a loop of the kernel\n"
        "    3 |     -- 中文 T.copy(A)\n"
        "      |             ^^^^^^\n"
        "help: use T.serial, T.unroll or a numeric for\n"
        "moontile: error[E101]: `/` between two integers is ambiguous: both sides are "
        "integers (int32 and int64)\n"
        "help: write `//` for the floor of the quotient, or cast one side: T.float32(x) / y\n";
    Ctx c;
    Str out = {0};
    ctx_init(&c, NULL, 0);
    expect(ctx_try(&c, speak, NULL), "speaking needs no unwinding");
    for (const Diag *d = c.diags; d; d = d->next)
        diag_render(&out, &c, d, LANGen, false, source, NULL);
    expect(out.s && strcmp(out.s, want) == 0, "rendered text");
    if (failures)
        printf("%s", out.s ? out.s : "");
    str_free(&out);
    ctx_free(&c);
}

int main(void)
{
    starve();
    render();
    return failures != 0;
}
