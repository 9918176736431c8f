/* core/check/race.h: inside the race check. */
#ifndef MOONTILE_CHECK_RACE_H
#define MOONTILE_CHECK_RACE_H

#include "check.h"

enum {
    RaceSteps = 20000,          /* of one search */
    MaxWork = 1 << 22,          /* steps of all searches, one a pair at least: a second */
    MaxRacePoints = 1 << 20,    /* enumerated for one pair */
    MaxAllPoints = 1 << 23      /* ... and in all: a second */
};

/* An expression in both iterations' indices; its unknowns: that one and the next. */
enum { MaxQuotients = 8 };
typedef struct RaceQuotient RaceQuotient;
struct RaceQuotient { Ex atom; int unknown; };

/* An outermost T.Parallel; directly nested ones count as one. */
typedef struct RaceLoop RaceLoop;
struct RaceLoop {
    Facts *f;
    const CheckFrame *frame;
    int npar;
    uint32_t *par, cappar;      /* the loop variables */
    int64_t *iter[2]; uint32_t capiter[2]; /* their values in the two iterations of a report */
    struct RaceCell *cell; uint32_t capcell; /* room for race_enumerate() */
    int64_t points;             /* that may still be enumerated */
    int64_t work;               /* steps that may still be searched */
    bool gave_up;               /* some pair was too much to decide */
    bool doubt;                 /* some pair was reported as one that may meet, or ruled out for a
                                 * few values of the variables outside alone */
    bool chosen;                /* sizes have values that race_size.c chose for them */
    bool blocks;                /* the iterations are blocks; regions count */
    bool loose;                 /* unknown ranges are taken at their widest: to rule pairs out */
    bool blocks_part;           /* that some blocks were not compared has been said */
    bool again;                 /* what was told of once is not looked at */
    bool unsized;               /* how many iterations there are is not known: as many as may be */
    const Access *open;         /* the first write that may meet another access, by data */
    const Access *early;        /* ... found before sizes were chosen */
    const Access *placed;       /* ... of those, one whose place an argument of the call decides */
    const Access *openblock;    /* ... one of another block */
    bool *told;                 /* of a root: a race on it was reported */
    int16_t slot[2][MaxDim];    /* unknowns: places in a's and b's region, -1: the only one */
    RaceQuotient quotient[MaxQuotients];
    int nquotient;
    EqSolve s;
    uint32_t of[MaxUnknown];    /* of an unknown: its variable */
    uint8_t part[MaxUnknown];
};

/* race_equations.c: is e the same in every iteration?  Nothing declared inside of the parallel
 * loop, no load of what the parallel loop writes. */
bool race_fixed(RaceLoop *n, Ex e);
/* Do two different iterations, or blocks, meet in an element, a in the one and b in the other?
 * As solve(). */
int race_meet(RaceLoop *n, const Access *a, const Access *b);
/* Sets env to the one or the other of those that met; what the equations leave open takes its
 * first value. */
void race_side(RaceLoop *n, bool other);
/* ... and the places in a's or b's region. */
void race_enter(RaceLoop *n, bool other, int64_t *off);

/* Do they meet for no data at all?  As race_meet() with n->loose, whose 0 it is. */
bool race_apart(RaceLoop *n, const Access *a, const Access *b);

/* race_enum.c: runs a and b through all iterations; reports the first
 * two different ones that meet: 1.  0: there are none; -1: that cannot be said.  n->loose: nothing
 * is reported, and conditions that cannot be computed hold. */
int race_enumerate(RaceLoop *n, const Access *a, const Access *b);

/* What is known of a write by several blocks: nothing to look for; it was reported; no two
 * blocks meet in it; it is not decided; two meet, for one choice of the sizes. */
enum RaceBlock { RBnone, RBtold, RBapart, RBopen, RBseen };

/* Do both update atomically, in two ways of which the order shows, and neither asks what was there? */
bool race_two_ways(const Access *a, const Access *b);
/* Whatever a and b store where they meet, is it one value? */
bool race_one_value(RaceLoop *n, const Access *a, const Access *b);

/* race_size.c: gives every size that comes with the arguments a value, in env and as its
 * domain, and to loops and launches the domains that follow.  False: there is no such size, or
 * the program assumes something else than all that was tried. */
enum RaceSizes { RSmany, RSfew };
bool race_choose(Facts *f, enum RaceSizes which);
/* The same for the values of one row of a table of their own, multiples of what tiles are made
 * of. */
enum { RaceRows = 2 };
/* Of these variables the values that are given. */
typedef struct SizeGiven SizeGiven;
struct SizeGiven { uint32_t var; int64_t value; };
bool race_choose_row(Facts *f, int row, const SizeGiven *given, int n);
/* Is v a number that comes with the arguments? */
bool race_size_comes(const Prog *p, uint32_t v);

/* race_block.c: runs what a few blocks write and read, and reports two blocks that meet in
 * one element.  how[k]: of each access; what was reported is RBtold then. */
void race_blocks(RaceLoop *n, enum RaceBlock *how);
/* ... for sizes that were chosen.  say: reports what is RBseen; else marks what it finds so. */
void race_blocks_sized(RaceLoop *n, enum RaceBlock *how, bool say);

/* race_open.c: finds n->openblock, what nothing ruled out or spoke of.  how[k]: of each access. */
void race_open_launches(RaceLoop *n, const enum RaceBlock *how);
/* A note about n->open, or else n->openblock. */
void race_say_open(RaceLoop *n);
/* race_block.c: do the blocks of this launch never wait for each other? */
bool race_independent(const Facts *f, const CheckFrame *launch);

/* race.c: n is about the blocks of a launch; false: how many there are is not known. */
bool race_open_blocks(RaceLoop *n, const CheckFrame *launch);
/* Do all loops around a run, whole, in every block? */
bool race_loops_run(const Facts *f, const Access *a);

/* race_points.c: an access whose elements are known, for each block. */
enum { MaxWheel = MaxUnknown, MaxBlockPoints = 1 << 14 };
typedef struct Wheel Wheel;
struct Wheel {
    uint32_t var;              /* its values; 0: places in dimension dim of the region */
    uint8_t dim;
    Ex lo, hi, step;           /* what its range follows from; hi 0: var's domain */
    int64_t end, by;           /* of the range, now */
};
typedef struct RaceAccess RaceAccess;
struct RaceAccess {
    const Access *a;
    Wheel *digit;
    int n;
    bool moves;                /* a range depends on other digits, or the block */
    bool thin;                 /* of tiles, only the first and the last places count */
    int64_t empty;             /* ranges that were */
    int64_t off[MaxDim];       /* of the element in its region */
};
/* False: whether and where a touches depends on data. */
bool access_of(Facts *f, const Stmt *launch, const Access *a, RaceAccess *t);
/* The points of the block that env is in, one by one; false: there is none any more. */
bool access_first(Facts *f, RaceAccess *t);
bool access_next(Facts *f, RaceAccess *t);
/* How many they are, at most MaxBlockPoints. */
int64_t access_count(Facts *f, RaceAccess *t);
/* The values of t's digits: t->n numbers. */
void access_save(Facts *f, RaceAccess *t, int64_t *out);
void access_load(Facts *f, RaceAccess *t, const int64_t *in);
/* The number, row by row, of the element at this point; false: t touches none here. */
bool access_element(const Facts *f, const RaceAccess *t, uint64_t *out);

/* race.c: a writes in iteration `mine` the element that b reads or
 * writes in iteration `theirs`; env holds the iteration of `at`, one of them. */
void race_report(RaceLoop *n, const Access *a, const Access *b, const Access *at,
                 const int64_t *mine, const int64_t *theirs, bool maybe);

#endif
