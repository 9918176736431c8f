/* core/ir/effects.c: what a statement reads and writes. */
#include <string.h>

#include "effects.h"
#include "walk.h"

enum { UPbarrier = 1 };    /* MemEffect.update of an mbarrier, which counts */

/* What is evaluated under one condition; nodes that it has met bear its mark. */
typedef struct Side Side;
struct Side {
    MemIf when;
    uint32_t mark;
    const Side *up;
};

typedef struct Effects Effects;
struct Effects {
    const Prog *p;
    const Stmt *s;
    MemEffectFn *f;
    void *ud;
    const Side *side;      /* NULL: what is evaluated always */
    uint32_t mark;         /* of that */
    bool ok;
};

static void report_effect(Effects *w, MemEffect e)
{
    if (!e.buf || e.buf >= w->p->nbuf || !w->ok)
        return;
    e.s = w->s;
    e.root = buf_root(w->p, e.buf);
    e.nd = w->p->buf[e.buf].ndim;
    e.when = w->side ? &w->side->when : NULL;
    e.lanes = e.lanes ? e.lanes : 1;
    w->ok = w->f(w->ud, &e);
}

static void element_effect(Effects *w, uint32_t buf, const Ex *at, int mode)
{
    report_effect(
        w,
        (MemEffect){
            .buf = buf, .mode = (uint8_t)mode, .level = 'H', .done = 's', .proxy = 'g', .at = at});
}

/* Loads ----------------------------------------------------------------- */

/* Has e been met where it is evaluated at least as often as here? */
static bool effects_met(Effects *w, Ex e)
{
    uint32_t *m = ex_mark(w->p, e);
    if (*m == w->mark)
        return true;
    for (const Side *k = w->side; k; k = k->up)
        if (*m == k->mark)
            return true;
    *m = w->side ? w->side->mark : w->mark;
    return false;
}

static void load_effects(Effects *w, Ex e);

static void loads_if(Effects *w, Ex e, Ex cond, bool not)
{
    const Side *up = w->side;
    Side own = {{cond, not, up ? &up->when : NULL}, ex_marks(w->p), up};
    w->side = &own;
    load_effects(w, e);
    w->side = up;
}

static void load_effects(Effects *w, Ex e)
{
    Expr x = w->p->ex[e]; /* f may make expressions */
    if (!w->ok || (x.n == 0 && x.op != Xload) || effects_met(w, e))
        return;
    if (x.op == Xselect) {
        load_effects(w, x.arg[0]);
        loads_if(w, x.arg[1], x.arg[0], false);
        loads_if(w, x.arg[2], x.arg[0], true);
        return;
    }
    if (x.op == Xand || x.op == Xor) {
        load_effects(w, x.arg[0]);
        loads_if(w, x.arg[1], x.arg[0], x.op == Xor);
        return;
    }
    for (int i = 0; i < x.n; i++)
        load_effects(w, x.arg[i]);
    if (x.op == Xload)
        element_effect(w, x.sym, x.arg, FXread);
}

static bool effects_expression(void *ud, Ex e)
{
    Effects *w = ud;
    load_effects(w, e);
    return w->ok;
}

/* Operations ------------------------------------------------------------ */

bool stmt_overwrites(const Prog *p, const Stmt *s)
{
    const char *k = opinfo[s->op.op].attrs;
    int64_t v;
    if (s->op.op == Owgmma && x_isint(p, s->op.value, &v)) /* scale-d */
        return v == 0;
    for (int i = 0; *k; i++) {
        size_t n = strcspn(k, " ");
        if (n >= 5 && memcmp(k, "clear", 5) == 0)
            return s->op.attr[i] != 0;
        k += n;
        k += *k == ' ';
    }
    return false;
}

static int effects_mode_of(const Prog *p, const Stmt *s, char letter)
{
    switch (letter) {
    case 'r': return FXread;
    case 'w': return FXwrite;
    case 'b': return s->op.op == Ombar_init ? FXwrite : FXread | FXwrite | FXatomic;
    default:
        if (stmt_overwrites(p, s))
            return FXwrite;
        return FXread | FXwrite | FXadds | (s->op.op == Oatomic ? FXatomic : 0);
    }
}

/* Of an operation: the whole tile's atomic; an arrival at an mbarrier, or a wait. */
static uint16_t op_update(const Prog *p, const Stmt *s, char letter)
{
    return letter == 'b' ? UPbarrier : s->op.op == Oatomic ? update_number(p, s) : 0;
}

uint16_t update_number(const Prog *p, const Stmt *s)
{
    bool tile = s->kind == Sop;
    int kind = tile ? s->op.attr[0] : s->atomic.kind; /* attrs of ops.h */
    uint32_t buf = tile ? s->op.r[0].buf : s->atomic.buf;
    if (kind >= NRed || (!tile && s->atomic.prev))
        return 0;
    const DtypeInfo *t = &dtypeinfo[p->buf[buf].dt];
    bool compares = redinfo[kind].op == Xmax || redinfo[kind].op == Xmin;
    int type = t->cls == 'F' || compares ? p->buf[buf].dt : NDtype + t->bits; /* signs are no matter */
    return (uint16_t)(UPbarrier + 1 + type * NRed + kind);
}

/* Reads come first. */
static void op_effects(Effects *w, const Stmt *s)
{
    const OpInfo *o = &opinfo[s->op.op];
    for (int write = 0; write < 2; write++)
        for (int i = 0; i < o->nregion; i++) {
            char letter = o->regions[i];
            bool barrier = letter == 'b';
            if ((letter != 'r') != write)
                continue;
            report_effect(w, (MemEffect){.buf = s->op.r[i].buf,
                                         .mode = (uint8_t)effects_mode_of(w->p, s, letter),
                                         .letter = letter,
                                         .level = o->level,
                                         .done = barrier ? 's' : o->done,
                                         .proxy = barrier ? 'g' : o->proxy,
                                         .order = MOrelaxed,
                                         .update = op_update(w->p, s, letter),
                                         .at = s->op.r[i].min,
                                         .extent = s->op.r[i].extent});
        }
}

/* Statements ------------------------------------------------------------ */

static void atomic_effects(Effects *w, const Stmt *s)
{
    int mode = s->atomic.kind == ATload    ? FXread
               : s->atomic.kind == ATstore ? FXwrite : FXread | FXwrite;
    report_effect(w, (MemEffect){.buf = s->atomic.buf,
                                 .mode = (uint8_t)(mode | FXatomic),
                                 .level = 'H',
                                 .done = 's',
                                 .proxy = 'g',
                                 .order = s->atomic.order,
                                 .update = update_number(w->p, s),
                                 .at = s->atomic.idx,
                                 .lanes = s->atomic.lanes});
}

bool stmt_effects(const Prog *p, const Stmt *s, MemEffectFn *f, void *ud)
{
    Effects w = {.p = p, .s = s, .f = f, .ud = ud, .mark = ex_marks(p), .ok = true};
    if (!stmt_exprs(p, s, effects_expression, &w))
        return false;
    if (s->kind == Sstore)
        element_effect(&w, s->store.buf, s->store.idx, FXwrite);
    else if (s->kind == Satomic)
        atomic_effects(&w, s);
    else if (s->kind == Sop)
        op_effects(&w, s);
    else if (s->kind == Salloc && s->alloc.init)
        element_effect(&w, s->alloc.buf, NULL, FXwrite);
    return w.ok;
}

bool block_effects(const Prog *p, const Stmt *s, bool all, MemEffectFn *f, void *ud)
{
    Stmt *b[2];
    for (; s; s = all ? s->next : NULL) {
        if (!stmt_effects(p, s, f, ud))
            return false;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (!block_effects(p, b[i], true, f, ud))
                return false;
    }
    return true;
}

/* Lists of pipelined loops ----------------------------------------------- */

typedef struct Listed Listed;
struct Listed { const Prog *p; const Stmt *loop; uint32_t root; };

static bool not_written(void *ud, const MemEffect *e)
{
    const Listed *k = ud;
    return e->root != k->root || !(e->mode & FXwrite);
}

static bool load_changes(void *ud, Ex e)
{
    Listed *k = ud;
    const Expr *x = &k->p->ex[e];
    if (x->op != Xload)
        return false;
    k->root = buf_root(k->p, x->sym);
    return !block_effects(k->p, k->loop->loop.body, true, not_written, k);
}

bool stmt_listed(const Prog *p, const Stmt *loop, const Stmt *s)
{
    Listed k = {.p = p, .loop = loop};
    return s->kind != Salloc &&
           (s->kind != Slet || ex_any(p, p->var[s->let.var].value, load_changes, &k));
}

/* Votes ------------------------------------------------------------------ */

typedef struct Votes Votes;
struct Votes { const Prog *p; bool votes, loads; };

static bool in_memory(const Prog *p, uint32_t buf)
{
    int scope = p->buf[buf_root(p, buf)].scope;
    return scope == SCshared || scope == SCglobal;
}

static ExGo vote_or_load(void *ud, Ex e)
{
    Votes *k = ud;
    const Expr *x = &k->p->ex[e];
    bool vote = x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync);
    k->votes |= vote;
    k->loads |= x->op == Xload && in_memory(k->p, x->sym);
    return vote ? EXskip : EXinto;
}

bool stmt_vote_last(const Prog *p, const Stmt *s)
{
    Votes k = {p, false, false};
    if (s->kind == Satomic || (s->kind == Sstore && in_memory(p, s->store.buf)))
        return false;
    stmt_ex_walk(p, s, vote_or_load, &k);
    return k.votes && !k.loads;
}
