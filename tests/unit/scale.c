/* Lowering sixteen times the statements takes at most twice sixteen times the memory, and
 * memory is what every table and every set of pending things is made of: what grows with the
 * square of a program shows here, whatever the machine is doing meanwhile. */
#include <stdio.h>
#include <stdlib.h>

#include "../../core/check.h"
#include "../../core/lower/lower.h"
#include "../../core/verify.h"

enum { Few = 32, Times = 16, Most = 32 };

typedef void Body(Str *s, int n);

static void loops(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "for i in parallel(128) do\n B[bx*128 + i] = A[bx*128 + i]*%d + B[bx*128 + i]\nend\n",
                i + 1);
}

static void copies(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[32, 32]\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "copy D[%d:+32, 0:+32] -> S\ncopy S -> E[%d:+32, 0:+32]\n", 32 * i, 32 * i);
}

static void fragments(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "alloc F%d: fragment float32[128]\ncopy A[bx*128:+128] -> F%d\n", i, i);
    for (int i = 0; i < n; i++)
        str_fmt(s, "copy F%d -> B[bx*128:+128]\n", i);
}

static void tiles(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "alloc S%d: shared float32[128]\nfor i in parallel(128) do\n S%d[i] = A[i]*%d\nend\n"
                   "for i in parallel(128) do\n B[bx*128 + i] = S%d[127 - i]\nend\n", i, i, i, i);
}

/* Bytes that lowering the kernel of n parts takes; 0: it fails. */
static size_t bytes(Body *body, int n)
{
    Str s = {0};
    size_t all = 0;
    str_fmt(&s, "kernel k(A, B, D, E)\nbuffer A: global float32[4096]\nbuffer B: global float32[4096]\n"
                "buffer D: global float32[16384, 32]\nbuffer E: global float32[16384, 32]\n"
                "launch bx in 32 threads 128 do\n");
    body(&s, n);
    str_puts(&s, "end\nend\n");
    Prog *p = s.bad ? NULL : prog_parse(NULL, s.s, s.n, "ir");
    str_free(&s);
    if (p && p->ctx.nerror == 0 && prog_verify(p, "text") && prog_check(p) &&
        prog_lower(p, machine_find("sm_80"), NULL))
        all = p->ctx.arena.total;
    for (const Diag *d = p && !all ? p->ctx.diags : NULL; d; d = d->next)
        if (errinfo[d->err].level == Lerror)
            fprintf(stderr, "%s %s\n", errinfo[d->err].code, d->arg[0] ? d->arg[0] : "");
    if (p)
        prog_free(p);
    return all;
}

int main(void)
{
    static const struct { const char *name; Body *body; } row[] = {
        {"elementwise loops", loops}, {"copies", copies},       {"fragments", fragments},
        {"shared tiles", tiles},
    };
    int bad = 0;
    for (size_t i = 0; i < COUNT(row); i++) {
        size_t few = bytes(row[i].body, Few), many = bytes(row[i].body, Few * Times);
        if (few && many && many <= few * Most)
            continue;
        fprintf(stderr, "%s: %zu bytes for %d, %zu for %d\n", row[i].name, few, Few, many,
                Few * Times);
        bad++;
    }
    return bad != 0;
}
