/* core/lower/build/accesses.h: what statements of tile programs do to buffers, and the
 * questions that passes ask about it. */
#ifndef MOONTILE_ACCESSES_H
#define MOONTILE_ACCESSES_H

#include "core/ir/effects.h"
#include "low.h"

/* What stands around a statement, innermost first. */
typedef struct Above Above;
struct Above { Stmt *s; const Above *up; };

/* accesses.c ------------------------------------------------------------- */
/* FX* bits of what s (all: and its successors) does to the root buffer b, or to the registers
 * that stand for it. */
int low_accesses(const Low *l, const Stmt *s, bool all, uint32_t b);
/* e keeps its value while the statements of list run: no loads of what they
 * write, nothing of the threads. */
bool low_stable(const Low *l, Ex e, const Stmt *list);
/* What list does to each buffer, found once: the two questions above of that list, however often,
 * each in the time of its answer. */
typedef struct Touched Touched;
Touched *low_touched(const Low *l, const Stmt *list);
int low_touched_how(const Touched *t, uint32_t b);
/* The i-th buffer that it names; 0: there is none.  By what it names b. */
uint32_t low_touched_buf(const Touched *t, uint32_t i);
uint32_t low_touched_as(const Low *l, uint32_t b);
bool low_touched_stable(Touched *t, Ex e);
/* The pure condition that all of s stands under (Sif without else), or 0. */
Ex low_condition(const Low *l, const Stmt *s, const Stmt *list);

/* cover.c ---------------------------------------------------------------- */
/* The statements list[0..n) together write all of b, each time. */
bool low_covers(const Low *l, Stmt *const *list, int n, uint32_t b);
/* The same where the condition `under` holds; 0: always. */
bool low_covers_under(const Low *l, Stmt *const *list, int n, uint32_t b, Ex under);
/* Elements of a buffer: of each dimension lo, lo + step, .. below hi. */
typedef struct Marked Marked;
struct Marked {
    int64_t lo[MaxDim], hi[MaxDim], step[MaxDim];
    bool all; /* all of these, not only some */
};
/* s writes elements *w of b and no others; false: that is not known before the kernel runs. */
bool low_written(const Low *l, Stmt *s, uint32_t b, Marked *w);
/* The statements list[0..n) write no element of b twice, all their conditions met. */
bool low_writes_once(const Low *l, Stmt *const *list, int n, uint32_t b);

/* used.c: who touches a buffer outside of a loop. -------------------------- */
/* Counts what the launch's statements do to each buffer, for what follows; then: takes s
 * out of it, or adds s and (all) what follows it. */
void low_uses(Low *l);
void low_uses_less(Low *l, const Stmt *s);
void low_uses_more(Low *l, const Stmt *s, bool all);
/* Something reads what `from`, which is taken out, leaves in b; above: what stands around it. */
bool low_read_behind(Low *l, const Stmt *from, const Above *above, uint32_t b);
bool low_viewed(const Low *l, uint32_t b); /* has views */
/* Something that is counted touches b; writes to it. */
bool low_in_use(const Low *l, uint32_t b);
int64_t low_uses_of(const Low *l, uint32_t b); /* how many are counted */
bool low_changed(const Low *l, uint32_t b);
/* Drops the allocations of the n buffers that nothing touches any more. */
void low_drop(Low *l, const uint32_t *buf, uint32_t n);
/* Room for questions of coverage, kept from one to the next. */
typedef struct CoverRoom CoverRoom;
struct CoverRoom {
    uint8_t *bit; uint32_t capbit;
    int64_t *env; uint32_t capenv;
    bool *known; uint32_t capknown; /* of each Var: none, between questions */
};
CoverRoom *cover_room(const Low *l);

#endif
