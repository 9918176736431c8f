/* core/check/init_open.h: inside the check for reads that a write comes before for some values
 * alone. */
#ifndef MOONTILE_CHECK_INIT_OPEN_H
#define MOONTILE_CHECK_INIT_OPEN_H

#include "check.h"

enum { MaxCases = 6, MaxWrites = 64, MaxOpenUnits = 1 << 18 }; /* conditions that are tried both ways; writes looked at */

/* How a variable is gone through: all of its values; the one that the read has; in the
 * rounds before that of the read. */
enum OpenMode { OMall, OMkept, OMbefore };

/* Does a write go to every element of its storage? Not looked at yet; loops say so from end to end,
 * or points one by one; no. */
enum OpenWhole { OHopen, OHloops, OHpoints, OHnot };

typedef struct OpenInit OpenInit;
struct OpenInit {
    Facts *f;
    uint32_t *next, *first;  /* as in init.c: accesses of a storage, + 1 */
    uint8_t *whole;          /* of an access: enum OpenWhole */
    Ex *map;                 /* room for a value of each variable, zero */
    int64_t points;          /* that may still be looked at for init_whole.c */
    struct OpenHave *have;   /* of a root: see init_whole.c */
    bool *used; Domain *dom; /* room for one of each variable: init_cover.c */
    uint32_t *sure;          /* of a root: behind this access all of it counts as written, + 1 */
    uint8_t *plain; uint32_t capplain; /* of an expression: 1 its value follows from env, 2 not */
    uint8_t *data; uint32_t capdata;   /* of an expression: 1 open_by_data(), 2 not */
    struct PointPlan **plan; /* of an access: see init_points.c */
    uint8_t *mode;           /* of a variable: enum OpenMode */
    int64_t work;            /* points that may still be looked at */
    bool *moved;             /* of an access: a write of what was read where nothing had written it */
    uint32_t nmoved;
    uint32_t beyond;         /* the first read that was too much to compare, + 1 */
    struct OpenOf *of;       /* of a root: see init_depends.c */
    struct OpenStore *store; /* of a root: open_store()'s, bits 0 where it was not asked yet */
    Ex *assumed; int nassumed; /* what the program assumes */
    bool idle;               /* a loop over a size that is 0 in this choice would write */
};

/* init_open.c: does e rest on values that are known only when the kernel runs: memory, or
 * a number that is no integer? */
bool open_by_data(OpenInit *t, Ex e);
/* Do a's conditions say that cond holds, or with `not` that it does not? */
bool open_guarded(const Facts *f, const Access *a, Ex cond, bool not);
/* Does access r happen only where cond has that value, too? */
bool open_held(OpenInit *t, const Access *w, const Access *r, Ex cond, bool not);
/* Is something that cond loads stored to from access `from` on, before access `to`? */
bool open_stored(const Facts *f, Ex cond, uint32_t from, uint32_t to);
/* Do the loops around w that are not around r bring it for certain?  Sizes count as such that
 * there is something to do. */
bool open_loops_bring(OpenInit *t, const Access *w, const Access *r);
/* The write of what r reads of registers, where a copy or a store does no more than move it to
 * another tile: what was never written may be moved on.  NULL: r's values are used. */
const Access *open_moves(const Facts *f, const Access *r);
bool open_around(const CheckFrame *in, const CheckFrame *k);

/* init_points.c: elements as bits. */
typedef struct OpenStore OpenStore;
struct OpenStore {
    uint32_t root;
    int64_t units;           /* elements, or bytes where views have other types */
    uint32_t bits;           /* of a unit */
    size_t words;
};
/* False: too many, or not known how many. */
bool open_store(OpenInit *t, uint32_t root, OpenStore *o);
/* Does e's value follow from the variables in env? */
bool open_plain(OpenInit *t, Ex e);
/* Bounds of variable i of s, a loop or launch (blocks, then threads), with env: lo, lo + step, ..
 * n of them; false: not known. */
bool open_range(OpenInit *t, const Stmt *s, int i, int64_t *lo, int64_t *step, int64_t *n);
static inline int open_vars(const Stmt *s)
{
    return s->kind == Sfor ? s->loop.n : s->kind == Slaunch ? s->launch.n + s->launch.nthread : 0;
}
static inline uint32_t open_var(const Stmt *s, int i)
{
    return s->kind == Sfor        ? s->loop.var[i]
           : i < s->launch.n      ? s->launch.block[i]
                                  : s->launch.thread[i - s->launch.n];
}
enum OpenMarked { OPmarked, OPdata, OPunknown }; /* all; some place rests on data; gave up */
/* Sets the bits of the units that a reads or writes, in all iterations that t->mode leaves, where
 * its conditions hold that have a value; but `skip` of them, which hold at access r.  Where the
 * place is not known a read marks all that it may be, a write nothing.  dest: where what is read
 * goes, or NULL; what falls outside there is not read. */
enum OpenMarked open_mark(OpenInit *t, const OpenStore *o, const Access *a, const Access *r,
                          const Access *dest, uint64_t *bit);

/* Elements of a buffer; -1: not known, or none. */
int64_t open_count(const Prog *p, uint32_t buf);

/* init_whole.c.  Do the loops around w, with ends that are numbers, bring it to every element of its storage, shared
 * by the threads?  Conditions are not asked for. */
bool open_whole(OpenInit *t, const Access *w);
/* Room for init_whole.c's sets, before anything else of it. */
void open_whole_init(OpenInit *t);
/* Is all that access r may read written by those before it that happen in any case?  Asked in the
 * order of the reads, so that each write is looked at once.  False: or that is not known. */
bool open_written(OpenInit *t, uint32_t r);

/* init_depends.c: what the accesses of a storage depend on: variables, and constants beside them. */
enum { MaxValues = 24 };
typedef struct OpenDepends OpenDepends;
struct OpenDepends {
    const Prog *p;
    bool *used;              /* of a variable */
    int64_t value[MaxValues];
    int nvalue;
};
/* Room, and what the program assumes; before anything else of init_depends.c. */
void open_depends_init(OpenInit *t);
/* Those of all accesses of a root, and of dest's indices unless it is NULL.  Looks at each access of
 * a root once, however often it is asked; out->used lasts until it is asked again. */
void open_depends(OpenInit *t, uint32_t root, const Access *dest, OpenDepends *out);
/* Does all hold that the program assumes, as far as env decides it? */
bool open_assumed(OpenInit *t);

/* init_cover.c */
enum OpenSay { OSwritten, OSwrite, OSread, OSsize, OSnever, OSunknown };
typedef struct OpenFound OpenFound;
struct OpenFound {
    const Access *w;         /* OSwrite: whether and where it writes decides */
    const char *element;     /* "s[64]" */
    const char *at;          /* OSsize: "n = 0"; OSnever: "bx = 0" */
};
/* Are all elements that access r reads written before?  ever: or later in its launch, as another
 * block may have done by then. */
enum OpenSay open_cover(OpenInit *t, uint32_t r, bool ever, OpenFound *found);

#endif
