/* core/lower/shared/retry.c: what a launch goes without when its shared memory is not enough.
 *
 * In this order: boxes of results in the bytes of what was there before; stages that nobody has asked for; copies of fragments are made in a few rounds, each through a smaller
 * buffer; pipelined loops and the boxes of results leave room, but for two stages; copies
 * are made in many rounds; loops give up their second stage; warps with roles of their own,
 * whose buffers live side by side, become one loop again; copies of fragments are made
 * where they are used, for that use alone, and all the others begin again; blocks
 * that loop over tiles, whose buffers live through all of a tile, work on one each, and all the
 * others begin again; rows of tiles lie without gaps, at the price of conflicts.  Each of them
 * tells in a note what it did. */
#include <string.h>

#include "retry.h"

void retry_keep(Low *l, Before *b)
{
    Prog *p = l->p;
    *b = (Before){.p = p, .launch = l->launch, .was = *l->launch, .nvar = p->nvar,
                  .nbuf = p->nbuf, .ntail = p->ntail, .nframe = p->nframe,
                  .tail = p->ctx.diagtail, .nerror = p->ctx.nerror};
    b->body = low_clone(l, l->launch->launch.body);
    b->var = anew(&p->ctx, p->nvar * sizeof *b->var);
    b->buf = anew(&p->ctx, p->nbuf * sizeof *b->buf);
    memcpy(b->var, p->var, p->nvar * sizeof *b->var);
    memcpy(b->buf, p->buf, p->nbuf * sizeof *b->buf);
}

/* What was made since keeps its number, for expressions may speak of it; nothing else does. */
static void drop_new(Prog *p, const Before *b)
{
    for (uint32_t i = b->nvar; i < p->nvar; i++)
        p->var[i].kind = Vlet;
    for (uint32_t i = b->nbuf; i < p->nbuf; i++) {
        p->buf[i].scope = SClocal;
        p->buf[i].base = 0;
        p->buf[i].at = -1;
    }
}

void retry_back(Low *l, const Before *b)
{
    Prog *p = b->p;
    *b->launch = b->was;
    b->launch->launch.body = low_clone(l, b->body);
    memcpy(p->var, b->var, b->nvar * sizeof *b->var);
    memcpy(p->buf, b->buf, b->nbuf * sizeof *b->buf);
    drop_new(p, b);
    p->ntail = b->ntail;
    p->nframe = b->nframe;
    p->ctx.diagtail = b->tail;
    *b->tail = NULL;
    p->ctx.nerror = b->nerror;
}

enum {
    LeastCopy = 1024, /* bytes: rounds of less cost more than they give */
    FewRounds = 4,    /* cost less than a stage of a pipeline */
    Steps = 32        /* in so many of them all of the memory is kept free */
};

/* Copies in at least twice as many rounds.  Those that had to be larger than was asked for, for
 * their rounds are so long, do not bring it back to that. */
static void halve(const Needs *f, Retry *t)
{
    int64_t from = t->most && t->most < f->cut ? t->most : f->cut;
    t->whole = t->most ? t->whole : f->cut;
    t->most = from / 2;
}

/* Keeps more bytes free than the last time, or says that so many were. */
static bool keep_more(Retry *t, int64_t keep, int64_t room)
{
    bool more = keep > t->keep;
    if (more)
        t->keep = t->keep && keep < t->keep + room / Steps ? t->keep + room / Steps : keep;
    return more;
}

/* The first thing to go without; false: it is not there. */
static bool retry_lean(const Low *l, Retry *t)
{
    bool first = l->needs.spare > 0 && !t->lean;
    t->lean |= first;
    return first;
}

static bool retry_beside(const Low *l, Retry *t)
{
    bool first = l->needs.after && !t->beside;
    t->beside |= first;
    return first;
}

/* Whatever is chosen, `most` shrinks, `keep` grows, or one of the flags comes to be true for good:
 * it ends after some steps. */
bool retry_more(const Low *l, Retry *t)
{
    const Needs *f = &l->needs;
    int64_t room = l->m->shared_block, keep = room - f->planned + f->over;
    bool cut = f->cut > LeastCopy && (!t->most || t->most > LeastCopy);
    bool loops = f->stages > (t->one ? 1 : 2) || f->boxes, pads = f->padded && !t->dense;
    if (f->over <= 0 || (f->never && !pads))
        return false;
    if (f->never)
        t->dense = true;
    else if (retry_beside(l, t) || retry_lean(l, t))
        ;
    else if (cut && (!t->most || t->whole / t->most < FewRounds))
        halve(f, t);
    else if (loops && keep_more(t, keep, room))
        ;
    else if (cut)
        halve(f, t);
    else if (f->stages > 1 && !t->one)
        t->one = true, t->keep = keep;
    else if (f->side && keep_more(t, room - f->side + f->over, room))
        ;
    else if (f->copies && !t->tight)
        *t = (Retry){.tight = true, .apart = t->apart, .united = t->united, .lean = t->lean, .dense = t->dense,
                     .beside = t->beside};
    else if (f->waves && !t->apart)
        *t = (Retry){.apart = true, .united = t->united, .lean = t->lean, .dense = t->dense, .beside = t->beside};
    else if (pads)
        t->dense = true;
    else
        return false;
    return true;
}

bool retry_united(const Low *l, Retry *t)
{
    bool first = l->total != l->threads && !t->united;
    if (retry_beside(l, t) || retry_lean(l, t))
        return true;
    t->united |= first;
    return first;
}
