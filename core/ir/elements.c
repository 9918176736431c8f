/* core/ir/elements.c: whether two shapes have as many elements.
 *
 * Extents that an argument decides are polynomials in it, and so is their
 * product:
 *     (n, 16), (n*16), (n, 4, 4), (4, n*4)   ==>  16 * n
 *     (n + 1, m)                             ==>  m * n + m
 * The products are written as sums of monomials, whose factors are in order of
 * their handles, and compared.  What does not fit into Terms and Factors is not
 * shown to be equal. */
#include <string.h>

#include "expr.h"
#include "elements.h"

enum { Terms = 32, Factors = 12 };

/* coef times the product of n factors. */
typedef struct Monomial Monomial;
struct Monomial { int n; Ex factor[Factors]; int64_t coef; };

typedef struct Poly Poly;
struct Poly { int n; Monomial term[Terms]; bool beyond; };

static bool same_factors(const Monomial *a, const Monomial *b)
{
    return a->n == b->n && memcmp(a->factor, b->factor, (size_t)a->n * sizeof(Ex)) == 0;
}

static void poly_add(Poly *s, const Monomial *m)
{
    int i = 0;
    while (i < s->n && !same_factors(&s->term[i], m))
        i++;
    if (i == Terms) {
        s->beyond = true;
        return;
    }
    if (i == s->n) {
        s->term[s->n++] = *m;
        return;
    }
    s->beyond |= __builtin_add_overflow(s->term[i].coef, m->coef, &s->term[i].coef);
    if (s->term[i].coef == 0)
        s->term[i] = s->term[--s->n];
}

/* a * b, the factors merged. */
static Monomial monomial_mul(const Monomial *a, const Monomial *b, bool *beyond)
{
    Monomial m = {0};
    *beyond |= __builtin_mul_overflow(a->coef, b->coef, &m.coef) || a->n + b->n > Factors;
    for (int i = 0, k = 0; !*beyond && i + k < a->n + b->n;) {
        bool left = k == b->n || (i < a->n && a->factor[i] <= b->factor[k]);
        m.factor[m.n++] = left ? a->factor[i++] : b->factor[k++];
    }
    return m;
}

static void poly_mul(Prog *p, Poly *to, const Poly *by)
{
    Poly *was = anew(&p->ctx, sizeof *was);
    *was = *to;
    *to = (Poly){.beyond = was->beyond || by->beyond};
    for (int i = 0; i < was->n; i++)
        for (int k = 0; k < by->n && !to->beyond; k++) {
            Monomial m = monomial_mul(&was->term[i], &by->term[k], &to->beyond);
            poly_add(to, &m);
        }
}

static Poly *poly_const(Prog *p, int64_t c)
{
    Poly *s = anew(&p->ctx, sizeof *s);
    if (c)
        poly_add(s, &(Monomial){.coef = c});
    return s;
}

static Poly *poly_of(Prog *p, Ex e)
{
    Poly *s = poly_const(p, 0);
    ExSum sum = x_linear(p, e);
    if (sum.c)
        poly_add(s, &(Monomial){.coef = sum.c});
    for (int i = 0; i < sum.n; i++) {
        const Expr *x = ex_at(p, sum.atom[i]);
        Poly *part = poly_const(p, sum.coef[i]);
        if (x->op == Xmul) {
            Ex a = x->arg[0], b = x->arg[1];
            poly_mul(p, part, poly_of(p, a));
            poly_mul(p, part, poly_of(p, b));
        } else {
            Poly one = {.n = 1, .term = {{1, {sum.atom[i]}, 1}}};
            poly_mul(p, part, &one);
        }
        s->beyond |= part->beyond;
        for (int k = 0; k < part->n; k++)
            poly_add(s, &part->term[k]);
    }
    return s;
}

static Poly *shape_poly(Prog *p, const Ex *shape, int ndim, int64_t each)
{
    Poly *s = poly_const(p, each);
    for (int i = 0; i < ndim; i++)
        poly_mul(p, s, poly_of(p, shape[i]));
    return s;
}

bool shapes_same_bits(Prog *p, const Ex *a, int na, int64_t abits, const Ex *b, int nb,
                      int64_t bbits)
{
    Poly *x = shape_poly(p, a, na, abits), *y = shape_poly(p, b, nb, bbits);
    if (x->beyond || y->beyond || x->n != y->n)
        return false;
    for (int i = 0; i < x->n; i++) {
        int k = 0;
        while (k < y->n && !same_factors(&x->term[i], &y->term[k]))
            k++;
        if (k == y->n || x->term[i].coef != y->term[k].coef)
            return false;
    }
    return true;
}
