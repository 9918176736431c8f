/* core/check_race.h: inside the race check. */
#ifndef MOONTILE_CHECK_RACE_H
#define MOONTILE_CHECK_RACE_H

#include "check.h"

enum {
    MaxSteps = 20000,           /* of one search */
    MaxWork = 1 << 22,          /* steps of all searches, one a pair at least: a second */
    MaxRacePoints = 1 << 20,    /* enumerated for one pair */
    MaxAllPoints = 1 << 23      /* ... and in all: a second */
};

/* An outermost T.Parallel; directly nested ones count as one. */
typedef struct Nest Nest;
struct Nest {
    Facts *f;
    const Frame *frame;
    int npar;
    uint32_t *par, cappar;      /* the loop variables */
    int64_t *iter[2]; uint32_t capiter[2]; /* their values in the two iterations of a report */
    struct RaceCell *cell; uint32_t capcell; /* room for race_enumerate() */
    int64_t points;             /* that may still be enumerated */
    int64_t work;               /* steps that may still be searched */
    bool gave_up;               /* some pair was too much to decide */
    bool chosen;                /* sizes have values that check_race_size.c chose for them */
    Solve s;
    uint32_t of[MaxUnknown];    /* of an unknown: its variable */
    uint8_t part[MaxUnknown];
};

/* check_race_enum.c: runs a and b through all iterations; reports the first
 * two different ones that meet.  True when it did. */
bool race_enumerate(Nest *n, const Access *a, const Access *b);

/* check_race_size.c: gives every size that comes with the arguments a value, in env and as its
 * domain, and to loops and launches the domains that follow.  False: there is no such size, or
 * the program assumes something else than all that was tried. */
bool race_choose(Facts *f);
/* ", N = 200": the sizes that e depends on. */
void race_chosen(Facts *f, Ex e, Str *out);

/* What is known of a write by several blocks: nothing to look for; it was reported; no two
 * blocks meet in it; it is not decided. */
enum RaceBlock { RBnone, RBtold, RBapart, RBopen };

/* check_race_block.c: runs the writes of a few blocks, and reports two blocks that meet in
 * one element.  how[k]: of each access; it is used up. */
void race_blocks(Facts *f, enum RaceBlock *how);

/* check_race.c: a writes in iteration `mine` the element that b reads or
 * writes in iteration `theirs`; env holds the iteration of `at`, one of them. */
void race_report(Nest *n, const Access *a, const Access *b, const Access *at, const int64_t *mine,
                 const int64_t *theirs, bool maybe);

#endif
