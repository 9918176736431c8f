/* core/lower/vary/flow.c: a program in the order of execution, by all threads of a block at once.
 *
 * At each place there is a value of each slot, see value.c, the same expression for all threads
 * that are here, and `div`, where threads differ in whether they come:
 *
 *     v = tid                          v is tid
 *     if n[tid] > 3 then               div: everywhere
 *         v = 1
 *     end                              v is t1, which differs where v did, and where n[tid] > 3 does
 *     for k = 0, 4 do                  v is t2 from here on: t1, or what a round leaves
 *         if v == 5 then break end     div behind it, and from then on in the loop: as v == 5
 *         v = n[k]                     v is what n[k] is
 *     end                              v is t3, which differs as rounds do: some left earlier
 *
 * A loop is gone through until its head knows no more.  A loop of few rounds that picks elements
 * of a short array is gone through round by round, its variable being a number. */
#include <string.h>

#include "core/ir/effects.h"
#include "vary_p.h"

/* What leaves the rounds of a loop. */
typedef struct VaryLoop VaryLoop;
struct VaryLoop {
    const Stmt *s;
    VaryState left, next;  /* at its breaks; at the continues of this round */
    Steps *out;            /* where threads differ in whether they broke out of it */
    const Stmt *within; Ex cond; /* the condition around such a jump, and what differs of it */
    VaryLoop *up;
};

/* States ----------------------------------------------------------------------- */

static VaryState state_copy(const Vary *v, const VaryState *from)
{
    VaryState to = *from;
    to.val = anew(&v->l->p->ctx, (v->nslot + 1) * sizeof *to.val);
    memcpy(to.val, from->val, v->nslot * sizeof *to.val);
    return to;
}

static VaryState state_nowhere(const Vary *v)
{
    VaryState to = state_copy(v, &v->now);
    to.dead = true;
    return to;
}

static void slot_set(Vary *v, uint32_t slot, Ex value)
{
    if (v->now.val[slot - 1] != value)
        vary_hold(v, value);
    v->now.val[slot - 1] = value;
}

/* Slots where a and b differ become tokens for either, which differ at `steps` too, as threads
 * that came by a do from those that came by b. */
static VaryState state_merge(Vary *v, const VaryState *a, const VaryState *b, const Stmt *at,
                             enum VaryToken kind, const Steps *steps)
{
    if (a->dead || b->dead)
        return state_copy(v, a->dead ? b : a);
    VaryState to = state_copy(v, a);
    for (uint32_t i = 0; i < v->nslot; i++) {
        if (a->val[i] == b->val[i])
            continue;
        Steps *own = steps_none(v);
        steps_join(v, own, steps);
        steps_of_value(v, own, a->val[i]);
        steps_of_value(v, own, b->val[i]);
        to.val[i] = vary_token(v, at, i + 1, kind, vary_type(v, i + 1), own);
        vary_hold(v, to.val[i]);
    }
    if (a->memory != b->memory)
        to.memory = ex_at(v->l->p, vary_token(v, at, 0, kind, DTi32, NULL))->sym;
    return to;
}

/* Values that are as old as `since`, or younger, differ at `steps`, too. */
static void state_aged(Vary *v, uint32_t since, const Stmt *at, int kind, const Steps *steps)
{
    for (uint32_t i = 0; i < v->nslot && !v->now.dead; i++) {
        Ex value = v->now.val[i];
        if (vary_stamp(v, value) < since)
            continue;
        Steps *own = steps_none(v);
        steps_join(v, own, steps);
        steps_of_value(v, own, value);
        slot_set(v, i + 1, vary_token(v, at, i + 1, kind, vary_type(v, i + 1), own));
    }
}

/* Names ------------------------------------------------------------------------- */

/* A name gets another value at `at`: what is made of the last one has a token. */
static void name_anew(Vary *v, uint32_t var, const Stmt *at)
{
    bool held = vary_fact(v, var)->held;
    for (uint32_t i = 0; held && i < v->nslot && !v->now.dead; i++) {
        Ex value = v->now.val[i];
        if (!vary_names(v, value, var))
            continue;
        Steps *own = steps_none(v);
        steps_of_value(v, own, value);
        slot_set(v, i + 1, vary_token(v, at, i + 1, VTrenamed, vary_type(v, i + 1), own));
    }
    vary_fact(v, var)->held = false;
    vary_fact(v, var)->stamp = v->clock;
}

static void name_let(Vary *v, const Stmt *s)
{
    uint32_t var = s->let.var;
    Ex e = v->l->p->var[var].value, is = e ? vary_value(v, e) : 0;
    name_anew(v, var, s);
    if (is && ex_at(v->l->p, is)->size > MostNodes)
        is = 0;
    VaryFact was = *vary_fact(v, var);
    Steps *own = steps_none(v);
    if (was.let && was.ever != is && was.ever)
        steps_of_value(v, own, was.ever);
    if (!is || (was.let && was.ever != is)) /* else it is what it stands for */
        steps_of(v, own, e);
    vary_gains(v, var, own);
    VaryFact *f = vary_fact(v, var);
    f->is = is;
    f->ever = !was.let || was.ever == is ? is : 0;
    f->let = true;
    f->at = s;
}

/* Single statements --------------------------------------------------------------- */

/* Slots of k get a value, those of one of them if it is not known of which; e: it, or 0. */
static void slots_get(Vary *v, const Stmt *s, Part k, Ex e, const Steps *value, bool all)
{
    for (uint32_t i = k.first; i < k.first + k.n; i++) {
        Steps *own = steps_none(v);
        v->kept[i - 1] = true;
        if (all && e) {
            slot_set(v, i, vary_keep(v, e, s, i, VTstored));
            continue;
        }
        steps_join(v, own, value);
        if (!all)
            steps_of_value(v, own, v->now.val[i - 1]);
        slot_set(v, i, vary_token(v, s, i, VTstored, vary_type(v, i), own));
    }
}

static void slots_of_operation(Vary *v, const Stmt *s, Steps *value)
{
    const OpInfo *o = &opinfo[s->op.op];
    bool all;
    if (o->level != 'T')
        steps_every(v, value, 1); /* registers of an instruction */
    for (int i = 0; i < o->nregion; i++) {
        Part k = o->regions[i] == 'r' ? vary_part(v, &s->op.r[i], &all) : (Part){0, 0};
        for (uint32_t n = 0; n < k.n; n++)
            steps_of_value(v, value, v->now.val[k.first + n - 1]);
    }
    for (int i = 0; i < o->nregion; i++)
        if (o->regions[i] != 'r' && vary_private(v->l->p, s->op.r[i].buf)) {
            Part k = vary_part(v, &s->op.r[i], &all);
            slots_get(v, s, k, 0, value, all && o->regions[i] == 'w');
        }
}

/* Does the block do this atomic once, and hand out what was there before (flatten/once.c)? */
static bool atomic_once(Vary *v, const Stmt *s)
{
    if (v->of == VaryThreads || v->here.parloop)
        return false;
    Vary *by = v->once ? v->once : v;
    if (by != v)
        vary_at(by, s);
    return !s->own && !vary_comes(by) && !vary_own(by, s);
}

static void atomic_before(Vary *v, const Stmt *s, Steps *value)
{
    if (!v->here.parloop && !atomic_once(v, s))
        steps_every(v, value, 1);
    name_anew(v, s->atomic.prev, s);
    vary_gains(v, s->atomic.prev, value);
}

static bool writes_memory(void *ud, const MemEffect *e)
{
    const Vary *v = ud;
    return !(e->mode & (FXwrite | FXatomic)) || vary_private(v->l->p, e->buf);
}

static bool meets(void *ud, Ex e)
{
    const Vary *v = ud;
    const Expr *x = ex_at(v->l->p, e);
    return x->op == Xcall && intrinfo[x->sym].level == 'T';
}

/* May memory be another behind s, where this thread or others that it waits for write? */
static bool changes_memory(Vary *v, const Stmt *s)
{
    if (s->kind == Scall || stmt_any(v->l->p, s, meets, v))
        return true;
    if (s->kind == Sop && (!opinfo[s->op.op].nregion || opinfo[s->op.op].level != 'T'))
        return true;
    return !stmt_effects(v->l->p, s, writes_memory, v);
}

static void statement_alone(Vary *v, const Stmt *s)
{
    const Prog *p = v->l->p;
    Steps *value = steps_none(v);
    if (s->kind == Sstore && vary_private(p, s->store.buf)) {
        Part k = vary_element(v, s->store.buf, s->store.idx);
        bool one = buf_root(p, s->store.buf) == s->store.buf && vary_single(v, k);
        bool own = s->own && v->of == VaryOnce;
        Ex e = k.n && one && !own ? vary_value(v, s->store.value) : 0;
        if (own)
            steps_every(v, value, 1);
        else if (k.n && !e)
            steps_of_all(v, value, s);
        slots_get(v, s, k, e, value, one);
    } else if (s->kind == Salloc && vary_private(p, s->alloc.buf)) {
        bool own = s->own && v->of == VaryOnce;
        Ex e = s->alloc.init && !own ? vary_value(v, s->alloc.init) : 0;
        steps_of_all(v, value, s);
        if (own)
            steps_every(v, value, 1);
        slots_get(v, s, vary_whole(v, s->alloc.buf), e, value, true);
    } else if (s->kind == Slet) {
        name_let(v, s);
    } else if (s->kind == Satomic && s->atomic.prev) {
        steps_of_all(v, value, s);
        atomic_before(v, s, value);
    } else if (s->kind == Sop) {
        steps_of_all(v, value, s);
        slots_of_operation(v, s, value);
    }
    if (changes_memory(v, s))
        v->now.memory = ex_at(p, vary_token(v, s, 0, VTstored, DTi32, NULL))->sym;
}

/* Branches --------------------------------------------------------------------------- */

/* What is behind branches that end in then, which threads take for whom cond holds, and els;
 * cond 0: it is not known, and they differ at `steps`. */
static void flow_join(Vary *v, const Stmt *s, enum VaryToken kind, Ex cond, const Steps *steps,
                      const VaryState *then, const VaryState *els)
{
    Prog *p = v->l->p;
    v->now = state_copy(v, then->dead ? els : then);
    if (then->dead || els->dead)
        return;
    for (uint32_t i = 0; i < v->nslot; i++) {
        Ex a = then->val[i], b = els->val[i];
        if (a == b)
            continue;
        bool made = cond && ex_at(p, cond)->size + ex_at(p, a)->size + ex_at(p, b)->size <=
                                2 * MostNodes;
        if (made) {
            slot_set(v, i + 1, vary_keep(v, x_select(p, cond, a, b), s, i + 1, kind));
            continue;
        }
        Steps *own = steps_none(v);
        steps_join(v, own, steps);
        steps_of_value(v, own, a);
        steps_of_value(v, own, b);
        slot_set(v, i + 1, vary_token(v, s, i + 1, kind, vary_type(v, i + 1), own));
    }
    if (then->memory != els->memory)
        v->now.memory = ex_at(p, vary_token(v, s, 0, kind, DTi32, NULL))->sym;
}

static void flow_if(Vary *v, const Stmt *s, const Steps *around)
{
    Steps *own = steps_none(v), *div = steps_none(v);
    Ex cond = vary_value(v, s->cond.cond);
    steps_of(v, own, s->cond.cond);
    steps_join(v, div, around);
    steps_join(v, div, own);
    VaryState els = state_copy(v, &v->now);
    flow_block(v, s->cond.then, div);
    VaryState then = v->now;
    v->now = els;
    flow_block(v, s->cond.els, div);
    els = v->now;
    flow_join(v, s, VTjoined, cond, own, &then, &els);
}

static void flow_role(Vary *v, const Stmt *s, const Steps *around)
{
    Prog *p = v->l->p;
    int lo = v->here.lo, hi = v->here.hi;
    Steps *div = steps_none(v);
    steps_join(v, div, around);
    if (s->role.lo > 0)
        steps_put(div, s->role.lo);
    if (s->role.hi < v->l->total)
        steps_put(div, s->role.hi);
    VaryState before = state_copy(v, &v->now);
    v->here.lo = s->role.lo;
    v->here.hi = s->role.hi;
    flow_block(v, s->role.body, div);
    v->here.lo = lo;
    v->here.hi = hi;
    VaryState behind = v->now;
    Ex tid = x_var(p, v->tid);
    Ex mine = x_bin(p, Xand, x_bin(p, Xle, x_int(p, DTi32, s->role.lo), tid),
                    x_bin(p, Xlt, tid, x_int(p, DTi32, s->role.hi)));
    flow_join(v, s, VTrole, mine, div, &behind, &before);
}

/* Loops ------------------------------------------------------------------------------- */

static const Stmt *loop_body(const Stmt *s)
{
    return s->kind == Swhile ? s->whil.body : s->loop.body;
}

/* Is there certainly a round? */
static bool loop_runs(const Prog *p, const Stmt *s)
{
    int64_t lo, hi, step = 1;
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        if (!x_isint(p, s->loop.lo[i], &lo) || !x_isint(p, s->loop.hi[i], &hi) || lo >= hi ||
            (s->loop.step && (!x_isint(p, s->loop.step, &step) || step < 1)))
            return false;
    return s->kind == Sfor;
}

/* All that is known at the head of a loop is that anything may be. */
static void loop_wide(Vary *v, const Stmt *s, VaryLoop *k)
{
    Steps *all = steps_none(v);
    steps_every(v, all, 1);
    if (stmt_leaves(loop_body(s)))
        steps_join(v, k->out, all);
    for (uint32_t i = 1; i <= v->nslot; i++)
        slot_set(v, i, vary_token(v, s, i, VThead, vary_type(v, i), all));
    v->now.memory = ex_at(v->l->p, vary_token(v, s, 0, VThead, DTi32, NULL))->sym;
}

/* The head of loop s is come to with v->now, after rounds that leave `back`.  Does it know less
 * than in *head?  Slots that differ have a token from then on. */
static bool loop_head(Vary *v, const Stmt *s, VaryState *head, const VaryState *back)
{
    bool more = false;
    for (uint32_t i = 0; i < v->nslot && !back->dead; i++) {
        Steps *own = steps_none(v);
        Ex is = head->val[i];
        if (is == back->val[i])
            continue;
        steps_of_value(v, own, back->val[i]);
        steps_of_value(v, own, is);
        uint32_t var = ex_at(v->l->p, is)->op == Xvar ? ex_at(v->l->p, is)->sym : 0;
        Steps *before = steps_none(v);
        if (var)
            steps_join(v, before, vary_steps(v, var));
        head->val[i] = vary_token(v, s, i + 1, VThead, vary_type(v, i + 1), own);
        vary_hold(v, head->val[i]);
        more |= head->val[i] != is || steps_join(v, before, own);
    }
    if (!back->dead && head->memory != back->memory) {
        uint32_t was = head->memory;
        head->memory = ex_at(v->l->p, vary_token(v, s, 0, VThead, DTi32, NULL))->sym;
        more |= was != head->memory;
    }
    return more;
}

/* Variables of a loop have a value, those of one that begins, or steps, differently another. */
static void loop_names(Vary *v, const Stmt *s, const Steps *rounds)
{
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
        name_anew(v, s->loop.var[i], s);
        vary_fact(v, s->loop.var[i])->is = 0;
        if (s->loop.kind == Fparallel) {
            vary_gains(v, s->loop.var[i], rounds);
            continue;
        }
        Steps *own = steps_none(v);
        steps_of(v, own, s->loop.lo[i]);
        if (s->loop.step)
            steps_of(v, own, s->loop.step);
        vary_gains(v, s->loop.var[i], own);
    }
}

/* The condition of a while loop is tested by those who still come; adds where it differs. */
static void loop_tested(Vary *v, const Stmt *s, Steps *rounds, const Steps *around,
                        const VaryLoop *k)
{
    Steps *div = steps_none(v);
    steps_join(v, div, around);
    steps_join(v, div, k->out);
    v->here.div = div;
    do {
        steps_join(v, div, rounds);
        steps_of(v, rounds, s->whil.cond);
    } while (steps_join(v, div, rounds));
    vary_note(v, s);
}

/* One round from what is known at the head; what it leaves there is in v->now. */
static void loop_round(Vary *v, const Stmt *s, const Steps *rounds, const Steps *around,
                       VaryLoop *k)
{
    Steps *div = steps_none(v), *outer = v->gone;
    steps_join(v, div, around);
    steps_join(v, div, rounds);
    steps_join(v, div, k->out);
    v->gone = steps_none(v);
    steps_join(v, v->gone, k->out);
    k->next = state_nowhere(v);
    loop_names(v, s, rounds);
    v->loop = k;
    flow_block(v, loop_body(s), div);
    v->loop = k->up;
    VaryState end = state_merge(v, &v->now, &k->next, s, VTback, v->gone);
    v->now = end;
    v->gone = outer;
}

/* Once or more times or never, until nothing more is known of its head.  rounds: where threads
 * differ in how many they make. */
static void flow_again(Vary *v, const Stmt *s, Steps *rounds, const Steps *around)
{
    uint32_t since = ++v->clock;
    VaryLoop k = {.s = s, .left = state_nowhere(v), .out = steps_none(v), .up = v->loop};
    bool more = true, wide = v->visits > v->most;
    Steps *out = steps_none(v);
    if (wide)
        loop_wide(v, s, &k);
    VaryState head = state_copy(v, &v->now);
    while (more) {
        v->now = state_copy(v, &head);
        if (s->kind == Swhile)
            loop_tested(v, s, rounds, around, &k);
        loop_round(v, s, rounds, around, &k);
        more = loop_head(v, s, &head, &v->now) && !wide;
        more |= steps_join(v, out, k.out) && !wide;
    }
    int64_t always;
    if (s->kind == Swhile && x_isint(v->l->p, s->whil.cond, &always) && always)
        v->now.dead = true;
    else if (!loop_runs(v->l->p, s))
        v->now = head;
    steps_join(v, out, rounds);
    v->now = state_merge(v, &v->now, &k.left, s, VTleft, out);
    bool differ = false;
    for (uint32_t i = 0; i < v->words; i++)
        differ |= out[i] != 0;
    if (differ)
        state_aged(v, since, s, VTexit, out);
}

/* The rounds of a serial loop, where they are known and few and none is left early. */
static int64_t loop_few_rounds(const Vary *v, const Stmt *s)
{
    const Prog *p = v->l->p;
    int64_t lo, hi, step = 1;
    if (s->kind != Sfor || s->loop.n != 1 || stmt_leaves(s->loop.body) ||
        (s->loop.kind != Fserial && s->loop.kind != Funroll && s->loop.kind != Fvectorized) ||
        !x_isint(p, s->loop.lo[0], &lo) || !x_isint(p, s->loop.hi[0], &hi) || lo >= hi ||
        (s->loop.step && (!x_isint(p, s->loop.step, &step) || step < 1)))
        return 0;
    int64_t n = (hi - lo + step - 1) / step;
    return n <= MostRounds / v->rounds ? n : 0;
}

typedef struct VaryPicks { const Vary *v; bool yes; } VaryPicks;

/* Does s store in one element of several? */
static bool loop_picks(Stmt *s, void *ud)
{
    VaryPicks *k = ud;
    k->yes |= s->kind == Sstore && vary_whole(k->v, s->store.buf).n > 1;
    return !k->yes;
}

/* One round after the other: `for k = 0, 3 do l[k] = 0 end` leaves nothing as it was in l. */
static void flow_rounds(Vary *v, const Stmt *s, const Steps *div, int64_t n)
{
    int64_t lo = 0, step = 1;
    int outer = v->rounds;
    Steps *none = steps_none(v);
    v->bound++;
    x_isint(v->l->p, s->loop.lo[0], &lo);
    if (s->loop.step)
        x_isint(v->l->p, s->loop.step, &step);
    v->rounds *= (int)n;
    for (int64_t i = 0; i < n; i++) {
        uint32_t since = ++v->clock;
        loop_names(v, s, none);
        eval_bind(&v->ev, s->loop.var[0], lo + i * step);
        v->grown++;
        flow_block(v, s->loop.body, div);
        state_aged(v, since, s, VTround + (int)i, none);
    }
    v->bound--;
    eval_free(&v->ev, s->loop.var[0]);
    v->grown++;
    v->rounds = outer;
}

/* A private array that an iteration sets begins anew in it: threads have in common what
 * earlier ones left there. */
static bool reset_private(Stmt *s, void *ud)
{
    Vary *v = ud;
    if (s->kind != Sstore || !vary_private(v->l->p, s->store.buf) ||
        vary_elements(v->l->p, s->store.buf) == 1)
        return true;
    Part k = vary_element(v, s->store.buf, s->store.idx);
    for (uint32_t i = k.first; i < k.first + k.n; i++)
        slot_set(v, i, vary_token(v, s, i, VTreset, vary_type(v, i), NULL));
    return true;
}

/* The iterations of a parallel loop, by whom they are done; afterwards each thread has what its own
 * left. */
static void flow_parloop(Vary *v, const Stmt *s, Steps *rounds, const Steps *around)
{
    VaryHere *h = &v->here;
    int n = h->naround;
    bool *outer = v->kept;
    Steps *all = steps_none(v);
    for (int t = h->lo + 1; t < h->hi; t++)
        steps_put(all, t);
    for (int i = 0; i < s->loop.n && h->naround < MostAround; i++)
        h->around[h->naround++] = s->loop.var[i];
    v->kept = anew(&v->l->p->ctx, v->nslot + 1);
    stmt_walk(s->loop.body, reset_private, v);
    h->parloop++;
    flow_again(v, s, rounds, around);
    h->parloop--;
    h->naround = n;
    for (uint32_t i = 1; i <= v->nslot; i++) {
        if (!v->kept[i - 1])
            continue;
        outer[i - 1] = true;
        Steps *own = steps_none(v);
        steps_join(v, own, all);
        steps_of_value(v, own, v->now.val[i - 1]);
        if (!h->parloop)
            slot_set(v, i, vary_token(v, s, i, VTreset, vary_type(v, i), own));
    }
    v->kept = outer;
}

static void flow_loop(Vary *v, const Stmt *s, const Steps *around)
{
    Steps *rounds = steps_none(v);
    VaryPicks k = {v, false};
    int64_t n = loop_few_rounds(v, s);
    if (s->kind == Sfor)
        steps_of_all(v, rounds, s);
    if (n)
        stmt_walk(s->loop.body, loop_picks, &k);
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        flow_parloop(v, s, rounds, around);
    else if (k.yes)
        flow_rounds(v, s, around, n);
    else
        flow_again(v, s, rounds, around);
}

static void flow_jump(Vary *v, const Stmt *s)
{
    VaryLoop *k = v->loop;
    bool out = s->kind == Sbreak;
    VaryState *to = out ? &k->left : &k->next;
    if (steps_differ(v, v->here.div)) {
        k->within = v->here.within;
        k->cond = v->here.cond;
    }
    if (out)
        steps_join(v, k->out, v->here.div);
    steps_join(v, v->gone, v->here.div);
    *to = state_merge(v, to, &v->now, k->s, out ? VTbroken : VTnext, v->gone);
    v->now.dead = true;
}

/* In the order of execution ------------------------------------------------------------- */

typedef struct VaryFirst { Vary *v; Ex e; } VaryFirst;

static bool flow_first(void *ud, Ex e)
{
    VaryFirst *k = ud;
    k->e = vary_ex(k->v, e) ? e : 0;
    return !k->e;
}

/* What is inside of s. */
static void flow_nested(Vary *v, const Stmt *s, const Steps *div)
{
    VaryHere *h = &v->here;
    const Stmt *within = h->within;
    Ex cond = h->cond;
    VaryFirst k = {v, 0};
    if (v->of == VaryTiles)
        stmt_exprs(v->l->p, s, flow_first, &k);
    h->within = k.e ? s : within;
    h->cond = k.e ? k.e : cond;
    if (s->kind == Sif)
        flow_if(v, s, div);
    else if (s->kind == Srole)
        flow_role(v, s, div);
    else
        flow_loop(v, s, div);
    h->within = within;
    h->cond = cond;
}

void flow_block(Vary *v, const Stmt *s, const Steps *around)
{
    for (; s; s = s->next) {
        Steps *div = steps_none(v);
        steps_join(v, div, around);
        if (v->gone)
            steps_join(v, div, v->gone);
        v->here.div = div;
        if (v->loop && v->loop->within && steps_differ(v, v->gone)) {
            v->here.within = v->loop->within;
            v->here.cond = v->loop->cond;
        }
        v->visits++;
        vary_note(v, s);
        if (v->see)
            v->see(v->ud, v, s);
        if (s->kind == Sfor || s->kind == Swhile || s->kind == Sif || s->kind == Srole)
            flow_nested(v, s, div);
        else if (s->kind == Sbreak || s->kind == Scontinue)
            flow_jump(v, s);
        else
            statement_alone(v, s);
    }
}
