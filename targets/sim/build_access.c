/* targets/sim/build_access.c: loads and stores.
 *
 * Registers are operands; memory is reached through a SimAccess, whose indices
 * are split into a uniform part, a part of the thread and the element of the
 * vector loop, so that bounds and addresses are settled once for all lanes. */
#include <string.h>

#include "build.h"
#include "run.h"


bool b_isregister(const Build *b, uint32_t buf)
{
    uint8_t s = b->p->buf[buf_root(b->p, buf)].scope;
    return s == SClocal || s == SCfragment || s == SCvar;
}

bool b_uniformvar(const Build *b, uint32_t buf)
{
    uint32_t r = buf_root(b->p, buf);
    return b->p->buf[r].scope == SCvar && !b->lane[r];
}

/* Registers ---------------------------------------------------------------- */

/* The fragment of a role has a layout over the role's threads. */
Local *b_local(Build *b, uint32_t buf)
{
    Local *l = b_declared(b, buf);
    l->first = l->first < 0 || l->first == b->first ? b->first : 0;
    return l;
}

Local *b_declared(Build *b, uint32_t buf)
{
    uint32_t r = buf_root(b->p, buf);
    if (b->local[r])
        return b->local[r];
    const Buf *k = &b->p->buf[r];
    Local *l = anew(b->c, sizeof *l);
    *l = (Local){.buf = r, .index = b->nlocals, .cls = (uint8_t)value_class((enum Dtype)k->dt),
                 .dt = k->dt, .first = -1, .regs = 1};
    for (int d = 0; d < k->ndim; d++) {
        int64_t n = 0;
        if (!x_isint(b->p, k->shape[d], &n))
            diag_fail(b->c, E_bug, b->here, "a local buffer of unknown size", NULL);
        l->regs *= n;
    }
    l->at = b_forever(b, (enum Dtype)k->dt, l->regs).at;
    agrow(b->c, &b->locals, &b->caplocals, b->nlocals + 1, sizeof *b->locals);
    b->locals[b->nlocals++] = l;
    return b->local[r] = l;
}

/* The register of a uniform variable; a second one says whether it has a value. */
Val b_uvar(Build *b, uint32_t buf)
{
    uint32_t r = buf_root(b->p, buf);
    if (!b->uvar[r].at) {
        b->uvar[r] = b_reg(b, (enum Dtype)b->p->buf[r].dt);
        b_reg(b, DTi32);
    }
    return b->uvar[r];
}

Ex b_flat(Build *b, uint32_t buf, const Ex *idx)
{
    const Buf *k = &b->p->buf[buf];
    int n = k->ndim;
    Ex e = x_int(b->p, DTi32, 0);
    for (int d = 0; d < n; d++) {
        Ex size = b->p->buf[buf].shape[d];
        e = x_bin(b->p, Xadd, x_bin(b->p, Xmul, e, size), idx[d]);
    }
    return e;
}

/* e = rest + (v if *vec) where v is the vector loop's element; false: it moves by
 * another step, or in another way. */
static bool split_vector(Build *b, Ex e, Ex *rest, bool *vec)
{
    *vec = false;
    *rest = e;
    if (!b->vecvar || !(b_info(b, e).bits & XIvector))
        return true;
    ExSum s = x_linear(b->p, e);
    Ex v = x_var(b->p, b->vecvar);
    enum Dtype dt = ex_type(b->p, e);
    Ex r = x_int(b->p, dt, s.c);
    for (int i = 0; i < s.n; i++) {
        if (s.atom[i] == v && s.coef[i] == 1)
            *vec = true;
        else if (b_info(b, s.atom[i]).bits & XIvector)
            return false;
        else
            r = x_bin(b->p, Xadd, r, x_bin(b->p, Xmul, s.atom[i], x_int(b->p, dt, s.coef[i])));
    }
    *rest = r;
    return s.n > 0;
}

/* What is only moved may have no value, but no wgmma may be working on it. */
static void check_regs(Build *b, const Local *l, Val at, int64_t reg, int n, uint32_t site)
{
    if (b->moving && !l->async)
        return;
    BuildNode *k = b_emit(b, b->moving ? run_landed : run_defined);
    k->i.x = l;
    k->i.a = at;
    k->i.k = reg;
    k->i.n = (uint8_t)n;
    k->i.site = site;
}

static Val load_register(Build *b, uint32_t buf, Ex flat)
{
    const Local *l = b_local(b, buf);
    enum Dtype dt = (enum Dtype)l->dt;
    uint32_t site = b_site(b, b->here, buf, "reads");
    Ex rest;
    bool vec;
    int64_t reg;
    if (!split_vector(b, flat, &rest, &vec))
        diag_fail(b->c, E_bug, b->here, "registers are not read one behind the other", NULL);
    enum Shape sh = vec ? SHw : SHt;
    if (b->turn.loop)
        b_iter_register(b, l, b_ex(b, rest), vec ? b->w : 1, site, NULL);
    if (b_number(b, rest, &reg) && reg >= 0 && reg + (vec ? b->w : 1) <= l->regs) {
        check_regs(b, l, (Val){0}, reg, vec ? b->w : 1, site);
        return (Val){(uint8_t)sh, l->cls, l->dt,
                     l->at + class_rows((enum ValueClass)l->cls) * (uint32_t)reg};
    }
    Val at = b_ex(b, rest), d = b_rows(b, dt, sh);
    BuildNode *n = b_emit(b, at.shape == SHu ? run_ldslot : run_ldindex);
    n->i.d = d;
    n->i.a = at;
    n->i.x = l;
    n->i.k = b->moving;
    n->i.site = site;
    return d;
}

/* An element of a staging buffer, or a constant where that has none: select(c, s[i], 0). */
static bool is_staged(Build *b, const Expr *x)
{
    enum Xop els = x->op == Xselect ? (enum Xop)ex_at(b->p, x->arg[2])->op : Xload;
    if ((els == Xint || els == Xfloat) && x_pure(b->p, x->arg[0])) {
        x = ex_at(b->p, x->arg[1]);
        while (x->op == Xcast)
            x = ex_at(b->p, x->arg[0]);
    }
    return x->op == Xload && b->p->buf[buf_root(b->p, x->sym)].stage;
}

/* What a value is that is nothing but a register of the threads, the same of other lanes, or an
 * element of a staging buffer, perhaps in another type; else NULL. */
static Moved *plain_move(Build *b, Ex value)
{
    Expr x = *ex_at(b->p, value);
    Ex idx[MaxDim], rest;
    bool vec;
    if (b_isshuffled(b, value)) {
        Moved *m = anew(b->c, sizeof *m);
        *m = (Moved){.n = 1, .lanes = true};
        return m;
    }
    while (x.op == Xcast)
        x = *ex_at(b->p, x.arg[0]);
    if (is_staged(b, &x))
        return anew(b->c, sizeof(Moved));
    if (x.op != Xload || !b_isregister(b, x.sym) || b_uniformvar(b, x.sym))
        return NULL;
    memcpy(idx, x.arg, x.n * sizeof *idx);
    if (!split_vector(b, b_flat(b, x.sym, idx), &rest, &vec) ||
        (b_info(b, rest).bits & (XIthread | XIimpure)))
        return NULL;
    Moved *m = anew(b->c, sizeof *m);
    m->l = b_local(b, x.sym);
    m->at = b_ex(b, rest);
    m->n = vec ? b->w : 1;
    return m;
}

/* What is moved is select(c, s[i], 0): where c does not hold there is a value, too. */
static void hold_else(Build *b, Ex value, Moved *m)
{
    const Expr *x = ex_at(b->p, value);
    while (x->op == Xcast)
        x = ex_at(b->p, x->arg[0]);
    if (x->op != Xselect)
        return;
    Val c = b_ex(b, x->arg[0]);
    BuildNode *n = b_emit(b, run_hold_else);
    n->i.a = c;
    n->i.n = (uint8_t)m->n;
    m->n = c.shape == SHw && m->n == 1 ? b->w : m->n;
    n->i.k = m->n;
}

/* The value; *m is NULL afterwards where it turns out to have been loaded for another use. */
static Val sb_access_value_of(Build *b, Ex value, enum Dtype dt, Moved **m)
{
    b->moving = *m && ((*m)->l || (*m)->lanes);
    b->staged = *m && !b->moving ? *m : NULL;
    Val v = b_ex(b, value);
    if (b->staged) {
        *m = NULL;
    } else if (*m && (*m)->lanes) {
        Val has = b_shuffled(b, value);
        b_emit(b, run_hold)->i.a = has;
    } else if (*m && !(*m)->l) {
        hold_else(b, value, *m);
    }
    b->moving = false;
    b->staged = NULL;
    return b_cast(b, v, dt);
}

static void store_register(Build *b, uint32_t buf, Ex flat, Ex value)
{
    const Local *l = b_local(b, buf);
    uint32_t site = b_site(b, b->here, buf, "writes");
    Ex rest;
    bool vec;
    if (!split_vector(b, flat, &rest, &vec))
        diag_fail(b->c, E_bug, b->here, "registers are not written one behind the other", NULL);
    Val at = b_ex(b, rest);
    Moved *m = plain_move(b, value);
    if (m && m->l && at.shape != SHu)
        m = NULL;
    Val v = sb_access_value_of(b, value, (enum Dtype)l->dt, &m);
    b_iter_register(b, l, at, vec ? b->w : 1, site, &v);
    BuildNode *n = b_emit(b, at.shape == SHu ? run_stslot : run_stindex);
    n->i.y = m;
    n->i.d = (Val){vec ? SHw : SHt, l->cls, l->dt, l->at};
    n->i.a = at;
    n->i.b = v;
    n->i.x = l;
    n->i.site = site;
}

const RegArgs *b_regs(Build *b, const Region *r)
{
    const Buf *k = &b->p->buf[r->buf];
    RegArgs *s = anew(b->c, sizeof *s);
    s->l = b_local(b, r->buf);
    s->n = 1;
    for (int d = 0; d < k->ndim; d++) {
        int64_t n = 1;
        x_isint(b->p, r->extent[d], &n);
        s->n *= n;
    }
    s->at = b_ex(b, b_flat(b, r->buf, r->min));
    if (s->at.shape != SHu)
        diag_fail(b->c, E_bug, b->here, "an instruction's registers differ between threads", NULL);
    return s;
}

/* Memory -------------------------------------------------------------------- */

/* e = uniform part + part of the thread */
static void split_thread(Build *b, Ex e, SimAccess *a, int d)
{
    enum Dtype dt = ex_type(b->p, e);
    ExSum s = x_linear(b->p, e);
    bool lanes = (b_info(b, e).bits & XIthread) != 0;
    Ex u = lanes ? x_int(b->p, dt, s.c) : e, t = lanes ? x_int(b->p, dt, 0) : 0;
    for (int i = 0; lanes && i < s.n; i++) {
        Ex part = x_bin(b->p, Xmul, s.atom[i], x_int(b->p, dt, s.coef[i]));
        if (b_info(b, s.atom[i]).bits & XIthread)
            t = x_bin(b->p, Xadd, t, part);
        else
            u = x_bin(b->p, Xadd, u, part);
    }
    a->u[d] = b_ex(b, u);
    a->hast[d] = lanes;
    if (lanes) {
        a->t[d] = b_ex(b, t);
        ExInfo in = b_info(b, t);
        a->isstatic &= !(in.bits & XIimpure) && in.level == 0;
        if (a->t[d].shape == SHu) { /* the sums took the threads out of it */
            a->t[d] = b_lanes(b, a->t[d], SHt);
            a->isstatic = false;
        }
    }
}

SimAccess *b_access(Build *b, uint32_t buf, const Ex *idx, uint32_t site, int wide, int dim,
                    bool reads)
{
    int n = b->p->buf[buf].ndim;
    uint32_t root = buf_root(b->p, buf);
    SimAccess *a = anew(b->c, sizeof *a);
    *a = (SimAccess){.buf = buf,
                     .site = site,
                     .ndim = (uint8_t)n,
                     .dt = b->p->buf[buf].dt,
                     .vec = -1,
                     .w = 1,
                     .isstatic = true};
    a->quiet = reads && b->p->buf[root].scope == SCglobal && !b->sp->written[root];
    for (int d = 0; d < n; d++) {
        Ex rest = idx[d];
        bool vec = false;
        if (!split_vector(b, idx[d], &rest, &vec) || (vec && a->vec >= 0))
            diag_fail(b->c, E_bug, b->here, "a vector access that is not contiguous", NULL);
        if (vec) {
            a->vec = (int8_t)d;
            a->w = (uint16_t)b->w;
        }
        split_thread(b, rest, a, d);
    }
    if (wide > 1) {
        a->vec = (int8_t)dim;
        a->w = (uint16_t)wide;
    }
    bool any = false;
    for (int d = 0; d < n; d++)
        any |= a->hast[d];
    a->isstatic &= any;
    if (a->isstatic) {
        a->id = b->naccess;
        agrow(b->c, &b->access, &b->capaccess, b->naccess + 1, sizeof *b->access);
        b->access[b->naccess++] = a;
    }
    return a;
}

static bool has_threads(const SimAccess *a)
{
    for (int d = 0; d < a->ndim; d++)
        if (a->hast[d])
            return true;
    return false;
}

/* A register seen with another type of the same width. */
static Val retype(Build *b, Val v, enum Dtype dt)
{
    if (v.dt == dt)
        return v;
    if (dtypeinfo[v.dt].bits != dtypeinfo[dt].bits)
        diag_fail(b->c, E_bug, b->here, "a register seen with another width", NULL);
    return b_reinterpret(b, v, dt);
}

Val b_load(Build *b, Ex e)
{
    Expr x = *ex_at(b->p, e);
    enum Dtype dt = (enum Dtype)x.dt;
    Ex idx[MaxDim];
    memcpy(idx, x.arg, x.n * sizeof *idx);
    if (b_isregister(b, x.sym)) {
        if (!b_uniformvar(b, x.sym))
            return retype(b, load_register(b, x.sym, b_flat(b, x.sym, idx)), dt);
        Val v = b_uvar(b, x.sym);
        BuildNode *n = b_emit(b, run_definedu);
        n->i.k = v.at + 1;
        n->i.site = b_site(b, b->here, x.sym, "reads");
        return retype(b, v, dt);
    }
    uint32_t site = b_site(b, b->here, x.sym, "reads");
    Moved *m = b->staged;
    b->staged = NULL; /* the index is used, not moved */
    SimAccess *a = b_access(b, x.sym, idx, site, 0, 0, true);
    a->moves = m != NULL;
    if (m)
        m->n = a->w;
    bool one = a->vec < 0 && !has_threads(a);
    b_iter_memory(b, a, ItRead, NULL, 0);
    Val d = one ? b_reg(b, dt) : b_rows(b, dt, a->vec >= 0 ? SHw : SHt);
    BuildNode *n = b_emit(b, one ? run_loadu : run_load);
    n->i.d = d;
    n->i.x = a;
    n->i.site = site;
    return d;
}

void b_store(Build *b, uint32_t buf, const Ex *idx, Ex value)
{
    enum Dtype dt = (enum Dtype)b->p->buf[buf].dt;
    if (b_isregister(b, buf)) {
        enum Dtype own = (enum Dtype)b->p->buf[buf_root(b->p, buf)].dt;
        if (own != dt)
            value = x_bits(b->p, own, value);
        if (!b_uniformvar(b, buf)) {
            store_register(b, buf, b_flat(b, buf, idx), value);
            return;
        }
        Val v = b_cast(b, b_ex(b, value), own), u = b_uvar(b, buf);
        BuildNode *n = b_emit(b, run_setu);
        n->i.d = u;
        n->i.a = v;
        return;
    }
    uint32_t site = b_site(b, b->here, buf, "writes");
    bool global = b->p->buf[buf_root(b->p, buf)].scope == SCglobal;
    Moved *m = global ? NULL : plain_move(b, value);
    Val v = sb_access_value_of(b, value, dt, &m);
    SimAccess *a = b_access(b, buf, idx, site, 0, 0, false);
    b_iter_memory(b, a, ItWrite, &v, 0);
    BuildNode *n = b_emit(b, run_store);
    n->i.y = m;
    n->i.a = v;
    n->i.x = a;
    n->i.site = site;
}
