/* targets/sim/report.h: what the simulator finds, collected.
 *
 * A finding is a row of errs/sim.h with its arguments already as text, at the
 * user's line, and a note at a second line when two statements are to blame. */
#ifndef MOONTILE_SIM_REPORT_H
#define MOONTILE_SIM_REPORT_H

#include "sim.h"

typedef struct Finding Finding;
struct Finding {
    Err err, note;   /* note: row of the second place, E_none without one; same arguments */
    Loc loc, other;
    const char *arg[DiagArgs]; /* up to a NULL */
};

typedef struct SimDims SimDims;
struct SimDims { const int64_t *shape, *stride; };

/* One launch's findings.  The caller fills the first part, zeroes the rest and
 * everything else lives in the arena of *c. */
typedef struct Report Report;
struct Report {
    Ctx *c;
    const Prog *p;
    const SimSite *site;  /* [nsite], 0 is no place */
    uint32_t nsite;
    int threads;          /* of a block */
    int shape[3];         /* of a block: shape[0] * shape[1] * shape[2] == threads; 0 as 1 */
    int64_t grid[3];      /* blocks of the launch, x fastest; 0 as 1 */
    int64_t *block; uint32_t capblock; /* linear indices of the running cluster's blocks */
    int max;              /* more findings are only counted; 0: 16 */
    /* Appends the loops of what runs now, "k = 3, i = 0"; may be NULL. */
    void (*where)(void *ud, Str *out);
    void *ud;
    /* the findings */
    Finding *f;
    uint32_t n, cap;
    uint32_t dropped;     /* beyond max */
    bool full;            /* stop the launch: n reached max */
    struct SeenFinding *seen; uint32_t nseen, capseen;
    uint32_t *place;      /* by site: the first of its line and buffer, 0 not looked for */
    SimDims *shapes; uint32_t nshape;
};

/* Adds a finding unless e was reported for these sites before (races: in either
 * order).  a: the site of this line; b, note: the second place and its row, or 0.  Up
 * to DiagArgs texts and a NULL; they are copied.  True if it is new. */
bool report_add(Report *r, Err e, uint32_t a, Err note, uint32_t b, ...);
/* Was it reported before?  Cheap, for asking before texts are made. */
bool report_has(Report *r, Err e, uint32_t a, uint32_t b);

/* Is one of them an error? */
bool report_wrong(const Report *r);

/* The blocks of the cluster that runs now. */
void report_blocks(Report *r, const int64_t *block, int n);

/* Texts for arguments, in r->c's arena; the same in all languages. */
const char *report_number(Report *r, int64_t v);
const char *report_thread(Report *r, int thread);   /* of the cluster: index in its block, "3" */
const char *report_block(Report *r, int thread);    /* "(0, 1)": that thread's block */
const char *report_grid(Report *r, int64_t block);  /* "(0, 1)": the block of a linear index */
const char *report_where(Report *r);                /* " (k = 3)" or "" */
/* The buffer that the user knows buf by: its own name or, of a pass, the one it holds elements of. */
const char *report_name(const Report *r, uint32_t buf);
/* The element of buf that has the half byte of its storage (shared: offset in the
 * block's memory; global: from its start): "A_s[5, 8]"; "A" where indices are not those of A. */
const char *report_element(Report *r, uint32_t buf, int64_t half);
/* *n: elements of buf, as this launch has it; false: not known. */
bool report_elements(const Report *r, uint32_t buf, int64_t *n);
/* Are they what the compiler made of one statement, with the same buffer? */
bool report_one_place(Report *r, uint32_t a, uint32_t b);
/* Do a and b update what they change in two ways, neither of which gives back what was there?  What
 * comes out is then for their order to say. */
bool report_two_ways(const Report *r, uint32_t a, uint32_t b);
const char *report_op(Report *r, uint32_t site);    /* what runs there: "cp_async", "wgmma" */
/* n of count elements of output buf were never written, the first at this half byte. */
void report_output(Report *r, uint32_t buf, int64_t n, int64_t count, int64_t first);
/* All findings as diagnostics of c, with their notes. */
void report_diags(const Report *r, Ctx *c);
/* Sizes and strides in elements of a global buffer, when they are not constants of
 * the program; the arrays are the caller's and stay. */
void report_shape(Report *r, uint32_t buf, const int64_t *shape, const int64_t *stride);

#endif
