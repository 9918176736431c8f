/* targets/sim/report.c: collects what the simulator finds. */
#include "report.h"
#include "err/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MaxFindings = 16 }; /* of a launch, when the caller names no number */

/* A finding that was made: its row and its sites, and how to find it again. */
typedef struct SeenFinding SeenFinding;
struct SeenFinding { uint32_t e, a, b; };

static bool sreport_same_place(const SimSite *a, const SimSite *b)
{
    return a->buf == b->buf && a->loc.line == b->loc.line && a->loc.col == b->loc.col &&
           a->loc.file == b->loc.file;
}

/* The first site of the same line and buffer: what the compiler made of one
 * statement, unrolled and split, is one place to its reader. */
static uint32_t sreport_place_of(Report *r, uint32_t site)
{
    if (!site || site >= r->nsite)
        return site;
    if (!r->place)
        r->place = anew(r->c, r->nsite * sizeof *r->place);
    if (!r->place[site]) {
        uint32_t first = 1;
        while (first < site && !sreport_same_place(&r->site[first], &r->site[site]))
            first++;
        r->place[site] = first;
    }
    return r->place[site];
}

bool report_one_place(Report *r, uint32_t a, uint32_t b)
{
    return a == b || sreport_place_of(r, a) == sreport_place_of(r, b);
}

bool report_two_ways(const Report *r, uint32_t a, uint32_t b)
{
    uint16_t x = a < r->nsite ? r->site[a].update : 0, y = b < r->nsite ? r->site[b].update : 0;
    return x && y && x != y;
}

/* Races between two lines are one finding, whichever came first and did what. */
static SeenFinding sreport_pair(Report *r, Err e, uint32_t a, uint32_t b)
{
    a = sreport_place_of(r, a);
    b = sreport_place_of(r, b);
    if (e == E_sim_race_wr || e == E_sim_race_rw || e == E_sim_race_update ||
        e == E_sim_iter_write || e == E_sim_iter_read || e == E_sim_iter_atomic)
        e = E_sim_race_ww;
    if ((e == E_sim_race_ww || e == E_sim_race_blocks || e == E_sim_race_both ||
         e == E_sim_race_atomic || e == E_sim_race_updates || e == E_sim_iter_updates) && a > b)
        return (SeenFinding){e, b, a};
    return (SeenFinding){e, a, b};
}

/* The last one found moves to the front: a race in a loop is asked for again and
 * again. */
bool report_has(Report *r, Err e, uint32_t a, uint32_t b)
{
    SeenFinding s = sreport_pair(r, e, a, b);
    for (uint32_t i = 0; i < r->nseen; i++) {
        SeenFinding *t = &r->seen[i];
        if (t->e != s.e || t->a != s.a || t->b != s.b)
            continue;
        *t = r->seen[0];
        r->seen[0] = s;
        return true;
    }
    return false;
}

static Loc siteloc(const Report *r, uint32_t site)
{
    return site && site < r->nsite ? r->site[site].loc : (Loc){0, 0, 0};
}

bool report_add(Report *r, Err e, uint32_t a, Err note, uint32_t b, ...)
{
    if (report_has(r, e, a, b))
        return false;
    agrow(r->c, &r->seen, &r->capseen, r->nseen + 1, sizeof *r->seen);
    r->seen[r->nseen++] = sreport_pair(r, e, a, b);
    uint32_t max = r->max > 0 ? (uint32_t)r->max : MaxFindings;
    if (r->n >= max) {
        r->dropped++;
        r->full = true;
        return true;
    }
    agrow(r->c, &r->f, &r->cap, r->n + 1, sizeof *r->f);
    Finding *f = &r->f[r->n++];
    *f = (Finding){.err = e, .note = note, .loc = siteloc(r, a)};
    if (note != E_none)
        f->other = siteloc(r, b);
    va_list ap;
    va_start(ap, b);
    const char *s;
    for (int i = 0; i < DiagArgs && (s = va_arg(ap, const char *)) != NULL; i++)
        f->arg[i] = astr(r->c, s, strlen(s));
    va_end(ap);
    r->full = r->n >= max;
    return true;
}

bool report_wrong(const Report *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (err_info(r->f[i].err)->level == Lerror)
            return true;
    return false;
}

void report_output(Report *r, uint32_t buf, int64_t n, int64_t count, int64_t first)
{
    const Buf *b = &r->p->buf[buf];
    uint32_t was = r->n;
    if (report_add(r, E_sim_never_written, 0, E_none, buf, b->name, report_number(r, n),
                   report_number(r, count), report_element(r, buf, first), (const char *)NULL) &&
        r->n > was)
        r->f[was].loc = b->loc;
}

void report_diags(const Report *r, Ctx *c)
{
    for (uint32_t i = 0; i < r->n; i++) {
        const Finding *f = &r->f[i];
        const char *const *a = f->arg;
        Diag *d = diag(c, f->err, f->loc, a[0], a[1], a[2], a[3], a[4], a[5], (const char *)NULL);
        if (f->note != E_none)
            diag_note(c, d, f->note, f->other, a[0], a[1], a[2], a[3], a[4], a[5],
                      (const char *)NULL);
    }
}

/* Texts ----------------------------------------------------------------- */

const char *report_number(Report *r, int64_t v) { return afmt(r->c, "%" PRId64, v); }

const char *report_thread(Report *r, int thread)
{
    return report_number(r, r->threads ? thread % r->threads : thread);
}

void report_blocks(Report *r, const int64_t *block, int n)
{
    agrow(r->c, &r->block, &r->capblock, (uint32_t)n, sizeof *r->block);
    memcpy(r->block, block, (size_t)n * sizeof *block);
}

const char *report_block(Report *r, int thread)
{
    uint32_t k = r->threads ? (uint32_t)(thread / r->threads) : 0;
    return report_grid(r, k < r->capblock ? r->block[k] : 0);
}

const char *report_grid(Report *r, int64_t b)
{
    int64_t g[3];
    for (int d = 0; d < 3; d++)
        g[d] = r->grid[d] > 0 ? r->grid[d] : 1;
    if (g[1] * g[2] == 1)
        return afmt(r->c, "(%" PRId64 ")", b);
    int64_t x = b % g[0], y = b / g[0] % g[1], z = b / g[0] / g[1];
    if (g[2] == 1)
        return afmt(r->c, "(%" PRId64 ", %" PRId64 ")", x, y);
    return afmt(r->c, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", x, y, z);
}

const char *report_where(Report *r)
{
    if (!r->where)
        return "";
    Str s = {0};
    r->where(r->ud, &s);
    const char *t = s.n ? afmt(r->c, " (%s)", s.s) : "";
    str_free(&s);
    return t;
}

const char *report_op(Report *r, uint32_t site)
{
    const char *w = site && site < r->nsite ? r->site[site].what : NULL;
    return w ? w : "?";
}

/* Index of the element at offset off (elements) of a row-major shape, or of
 * strides; false when it lies in padding. */
static bool sreport_unflatten(int ndim, const int64_t *shape, const int64_t *stride, int64_t off,
                              int64_t *idx)
{
    bool done[MaxDim] = {false};
    for (int k = 0; k < ndim; k++) { /* the largest stride first */
        int best = -1;
        for (int d = 0; d < ndim; d++)
            if (!done[d] && (best < 0 || stride[d] > stride[best]))
                best = d;
        done[best] = true;
        idx[best] = stride[best] > 0 && shape[best] > 1 ? off / stride[best] : 0;
        if (idx[best] >= shape[best] && shape[best] > 0)
            idx[best] = shape[best] - 1;
        off -= idx[best] * stride[best];
    }
    return off == 0;
}

/* Sizes and strides of buf as numbers; false when they are not known. */
static bool sreport_dims(const Report *r, uint32_t buf, int64_t *shape, int64_t *stride)
{
    const Buf *b = &r->p->buf[buf];
    int64_t run = 1;
    if (buf < r->nshape && r->shapes[buf].shape) {
        for (int d = 0; d < b->ndim; d++) {
            shape[d] = r->shapes[buf].shape[d];
            stride[d] = r->shapes[buf].stride[d];
        }
        return true;
    }
    for (int d = b->ndim - 1; d >= 0; d--) {
        if (!x_isint(r->p, b->shape[d], &shape[d]))
            return false;
        stride[d] = run;
        if (b->stride[d] && !x_isint(r->p, b->stride[d], &stride[d]))
            return false;
        run *= shape[d];
    }
    return true;
}

static bool sreport_index_of(const Report *r, uint32_t buf, int64_t half, int64_t *idx)
{
    const Buf *b = &r->p->buf[buf], *root = &r->p->buf[buf_root(r->p, buf)];
    int64_t at = b->scope == SCglobal ? 0 : b->base && b->at <= 0 ? root->at : b->at;
    int64_t bits = half * 4 - (at > 0 ? at : 0) * 8;
    int width = dtypeinfo[b->dt].bits;
    if (bits < 0)
        return false;
    if (b->map) {
        Spot s = {{0, 0, 0, 0}};
        int32_t i32[LayDims];
        s.at[AXoff] = bits / width;
        if (!layout_invert(b->map, &s, i32))
            return false;
        for (int d = 0; d < b->ndim; d++)
            idx[d] = i32[d];
        return b->map->ndim == b->ndim;
    }
    int64_t shape[MaxDim], stride[MaxDim];
    return sreport_dims(r, buf, shape, stride) &&
           sreport_unflatten(b->ndim, shape, stride, bits / width, idx);
}

bool report_elements(const Report *r, uint32_t buf, int64_t *n)
{
    int64_t shape[MaxDim], stride[MaxDim];
    if (!sreport_dims(r, buf, shape, stride))
        return false;
    *n = 1;
    for (int d = 0; d < r->p->buf[buf].ndim; d++)
        *n *= shape[d];
    return true;
}

const char *report_name(const Report *r, uint32_t buf)
{
    const Buf *b = &r->p->buf[buf], *root = &r->p->buf[buf_root(r->p, buf)];
    return root->of ? root->of : b->name;
}

const char *report_element(Report *r, uint32_t buf, int64_t half)
{
    if (!buf || buf >= r->p->nbuf)
        return afmt(r->c, "byte %" PRId64, half / 2);
    const Buf *b = &r->p->buf[buf];
    int64_t idx[MaxDim];
    if (r->p->buf[buf_root(r->p, buf)].of)
        return report_name(r, buf);
    if (!sreport_index_of(r, buf, half, idx))
        return afmt(r->c, "%s, byte %" PRId64, b->name, half / 2);
    Str s = {0};
    str_puts(&s, b->name);
    for (int d = 0; d < b->ndim; d++)
        str_fmt(&s, "%s%" PRId64, d ? ", " : "[", idx[d]);
    str_puts(&s, b->ndim ? "]" : "");
    const char *t = astr(r->c, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

void report_shape(Report *r, uint32_t buf, const int64_t *shape, const int64_t *stride)
{
    agrow(r->c, &r->shapes, &r->nshape, buf + 1, sizeof *r->shapes);
    r->shapes[buf] = (SimDims){shape, stride};
}
