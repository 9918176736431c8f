/* core/lower/solve/solve.h: inside the layout solver.
 *
 *   solve.c    the pass: anchors, propagation, what is left free
 *   normal.c   statements in the forms that the others take
 *   rolled.c   serial loops that choose registers
 *   gather.c   nodes, fragments and their links, in program order
 *   index.c    index maps as modes
 *   link.c     layouts carried through index maps
 *   free.c     candidates for what nothing fixes, and their cost
 *   reach.c    stores that not all copies of an element would see
 *   bytes.c    staging buffers of elements of 4 bits
 *   stage.c    disagreements: staging in shared memory, conversions
 *   rounds.c   ... in several rounds through less memory
 *   note.c     notes on them
 *   convert.c  moves between two layouts of one fragment
 *
 * A node is whatever uses fragments: a parallel loop, an operand of a gemm, a
 * reduction (a parallel loop over its source), an operation that wants memory, a scalar
 * statement (a parallel loop of no variables).  A node has a loop layout: which thread
 * does which iteration.  A link is one access frag[f(i, j)] of a node.
 *
 * Warps are those of the role that a node stands in, or of the block.  Where
 * several share a fragment, all of it lies in as many warps as each of them has,
 * and the other warps hold copies. */
#ifndef MOONTILE_SOLVE_H
#define MOONTILE_SOLVE_H

#include "core/ir/walk.h"
#include "core/lower/build/low.h"
#include "core/lower/pipe/pipeline.h"

enum { MaxPiece = LayModes }; /* each doubles what there is at least, as a layout's modes do */

/* Mode (var / weight) % extent of a node's variable adds coef times its value
 * to an index. */
typedef struct RadixPiece RadixPiece;
struct RadixPiece { uint8_t var; int32_t weight, extent, coef; };

/* Why an index is no projection of the node's variables. */
enum LinkWhy { LWok, LWdiagonal, LWdata, LWoverlap, LWunaligned, NLinkWhy };

/* An access as modes: index d is the sum of its pieces, off[d] and dyn[d]. */
typedef struct LayoutLink LayoutLink;
struct LayoutLink {
    uint8_t ndim, n, why;   /* why: enum LinkWhy; not LWok: pieces do not hold */
    uint8_t dim[MaxPiece];  /* of each piece */
    RadixPiece p[MaxPiece]; /* sorted by dim, coef */
    int32_t off[MaxDim];
    Ex dyn[MaxDim];         /* does not depend on the node's variables; 0: none */
    bool fixed[MaxDim];     /* dyn is constant once loops are unrolled, those inside of the node
                             * that are short too */
};

typedef struct Use Use;
struct Use {
    uint32_t frag;          /* index in Solve.frag */
    bool read, write, whole; /* whole: writes each of its elements, always */
    Loc loc;
    LayoutLink link;
};

/* An access of a parallel loop to global or shared memory, for its cost. */
typedef struct SolveAccess SolveAccess;
struct SolveAccess { uint32_t buf; const Ex *idx; };

enum NodeKind { NDloop, NDgemm, NDreduce, NDmemory, NDscalar };

/* Enclosing statement of a node. */
typedef struct Around Around;
struct Around { Stmt *s; const Around *up; };

/* The role around, or NULL. */
static inline const Stmt *around_role(const Around *in)
{
    while (in && in->s->kind != Srole)
        in = in->up;
    return in ? in->s : NULL;
}

/* Is there a peek around (core/cost/peek.h)?  What it reads has the layout that it would
 * have without. */
static inline bool around_looks(const Around *in)
{
    while (in && !(in->s->kind == Sif && in->s->cond.look))
        in = in->up;
    return in != NULL;
}

typedef struct SolveNode SolveNode;
struct SolveNode {
    uint8_t kind, nvar;
    uint8_t operand;        /* NDgemm: which region */
    bool set, exact;        /* exact: REG strides matter too */
    uint8_t strength;
    int warps;              /* that a free layout spreads over */
    Stmt *s;
    const Around *in;       /* while its uses are gathered, loops inside of it too, up to `out` */
    const Around *out;
    uint32_t var[MaxLoop];  /* Vars of a parallel loop; 0 for the dimensions of a region */
    int32_t size[MaxLoop], lo[MaxLoop];
    Use *use;
    uint32_t nuse, capuse;
    Layout loop;
    int from;               /* the fragment that gave the layout, or -1 */
    SolveAccess *mem;          /* free.c: filled when first asked for */
    uint32_t nmem, capmem;
    bool scanned;
    uint8_t membits, ownbits; /* ... of the narrowest element in memory, in fragments; at most 64 */
};

typedef struct Frag Frag;
struct Frag {
    uint32_t buf;
    int ndim;
    int32_t size[MaxDim];
    bool set;
    uint8_t strength;
    bool floating;          /* read or written outside of parallel loops */
    int warps;              /* that a free layout spreads over */
    int most, base;         /* warps that all nodes have which touch it, from warp `base` on */
    Layout map;
    int from;               /* the node that gave the layout, or -1 */
};

/* A loop around one statement, with others before and after that inside of it; see RoundCut. */
typedef struct StageRound StageRound;
struct StageRound {
    Stmt *loop, *pre, *post;
    const struct RoundCut *cut;
    int32_t size;           /* of the dimension that is cut */
    bool bare;              /* what is written is not brought in first: nothing may be around */
    StageRound *outer;
};

/* Statements to stand before and after one, and its loops, the innermost first. */
typedef struct Insert Insert;
struct Insert { Stmt *at, *pre, *post; StageRound *round; };

/* A staging buffer that holds fragment buf from statement `at` on. */
typedef struct StagedFrag StagedFrag;
struct StagedFrag { uint32_t buf, shared; Stmt *at; };

typedef struct Solve Solve;
struct Solve {
    Low *l;
    SolveNode *node;
    uint32_t nnode, capnode;
    Frag *frag;
    uint32_t nfrag, capfrag;
    int32_t *of;            /* Buf -> index in frag, or -1 */
    uint32_t nof;
    int lanes;              /* in use: all of the warp, fewer where the last one is ragged */
    Insert *ins;
    uint32_t nins, capins;
    StagedFrag *staged;
    uint32_t nstaged, capstaged;
    uint32_t *seen, capseen, epoch; /* of expressions */
    int64_t *env;           /* values of variables, while costs are counted */
    uint32_t *user, *users; /* free.c: nodes of fragment f: users[user[f] .. user[f + 1]) */
    struct BestLayout *best; /* free.c: what is known of the candidates */
    uint32_t *roomnode, *roomfrag; /* ... for a component while it is gathered */
    uint32_t *narrow[2], nnarrow, atnarrow[2], narrowed; /* ... nodes by membits and by ownbits, how
                             * many are set already; of so many nodes in all */
    uint8_t *reached;       /* ... of nodes, then fragments: part of that */
    Stmt **rolled;          /* rolled.c: loops that it unrolled */
    uint32_t nrolled, caprolled;
};

/* Nodes and fragments that layouts spread between, by index, ascending. */
typedef struct IndexPiece IndexPiece;
struct IndexPiece { uint32_t *node, nnode, *frag, nfrag; };

/* reach.c ---------------------------------------------------------- */
/* Do all threads that hold an element of fragment buf make each store of parallel loop n to it? */
bool stores_reach(Solve *s, const SolveNode *n, uint32_t buf);

/* index.c ---------------------------------------------------------- */
/* The link of the index list idx (n expressions) in node nd. */
void link_parse(Solve *s, const SolveNode *nd, const Ex *idx, int n, LayoutLink *out);
/* Index d of a buffer is variable d of the node, for all d. */
void link_identity(int ndim, const int32_t *size, LayoutLink *out);
bool link_equal(const LayoutLink *a, const LayoutLink *b); /* false where one is no projection */

/* link.c ----------------------------------------------------------- */
/* The layout that a fragment of these sizes must have for loop to reach it by
 * k; exact keeps the registers' strides.  false: k does not fit loop's modes. */
bool frag_from(const Solve *s, const Layout *loop, const int32_t *vsize, const LayoutLink *k,
               int ndim, const int32_t *fsize, bool exact, Layout *out);
/* The loop layout over nvar variables that reaches a fragment with layout map
 * by k.  Variables that k leaves out go to copies of map, then to registers, when
 * fill is set (vec: how many of the last one's to one thread); else false. */
bool node_from(const Solve *s, const Layout *map, const LayoutLink *k, int nvar,
               const int32_t *vsize, bool fill, int vec, Layout *out);
/* Does each thread find what loop makes it touch through k in its own registers of
 * map, at places that depend on the register modes alone? */
bool link_agrees(const Solve *s, const Layout *loop, const int32_t *vsize, const LayoutLink *k,
                 const Layout *map, bool exact);
/* The loop variable that the node's uses of fragment f have as the index of one
 * dimension, all of which (*size, not many) each thread holds; 0: not so. */
uint32_t reg_var(const Solve *s, const SolveNode *n, const Frag *f, int32_t *size);

/* normal.c --------------------------------------------------------- */
void solve_normal(Low *l);

/* rolled.c --------------------------------------------------------- */
/* Unrolls the short serial loops that choose elements of fragments. */
void solve_unroll(Solve *s);
/* Layouts are known: not those for which threads do not hold these all the same. */
void solve_unrolled(Solve *s);

/* gather.c --------------------------------------------------------- */
void solve_gather(Solve *s);
bool link_covers(const LayoutLink *k, const Frag *f); /* does it reach every element of f? */
bool declares(Stmt *list, uint32_t var); /* a loop or a let in the list has this variable */
bool const_region(const Prog *p, const Region *r, int32_t *extent);

/* free.c ----------------------------------------------------------- */
void plan_default(const Solve *s, const SolveNode *nd, int fast, int vec, bool pad, bool spread,
                  Layout *out);
void solve_free(Solve *s, uint32_t root); /* lays out the component of node root */
/* Parallel loops that would split bytes of memory between threads get layouts of their own. */
void solve_bytes(Solve *s);

/* bytes.c ---------------------------------------------------------- */
/* Staging buffers of types of 4 bits have an element in each byte from here on, so that
 * threads may hold any of them.  Not those that an operation works on. */
void solve_unpack(Low *l);

/* solve.c ---------------------------------------------------------------- */
void solve_spread(Solve *s, const IndexPiece *part); /* propagates from what is set in it */
bool node_set(Solve *s, uint32_t node, const Layout *loop, int from, int strength);
bool frag_set(Solve *s, uint32_t frag, const Layout *map, int from, int strength);
const Stmt *anchor_node(const Solve *s, int node);
const Stmt *anchor_frag(const Solve *s, uint32_t frag); /* NULL: free */

/* stage.c ---------------------------------------------------------- */
void solve_finish(Solve *s);            /* conversions, plans, registers */
Insert *solve_insert(Solve *s, Stmt *at);

/* What a node does with one fragment. */
typedef struct NodeAccess NodeAccess;
struct NodeAccess {
    uint32_t frag;
    bool read, write, whole, one; /* one: through one link only */
    const Use *use;               /* the first that disagrees */
    bool races;                   /* all agree, but threads with copies would race */
    bool part;                    /* ... but a store would reach some copies only */
};

/* How a copy is made in rounds: so many indices of one dimension in each. */
enum { MaxFetch = 8 };
typedef struct RoundCut RoundCut;
struct RoundCut {
    int dim;
    int32_t rows, n;        /* of a round; rounds */
    int64_t bytes;          /* of a round */
    bool more;              /* there could be more rounds */
    Ex part;                /* the round's number */
    Ex index;               /* of the parallel loop's accesses in that dimension; 0: they are
                             * fetched */
    StageRound *with;       /* the loop of another fragment that is cut alike, or NULL */
    Ex load[MaxFetch];      /* .. these */
    uint32_t nload;
};

int64_t frag_bytes(const Solve *s, const Frag *f);
Marked whole_part(const Frag *f);
/* A buffer in shared memory like f, or like a part of it (c not NULL), for statement `of`,
 * that accesses it by layout reader, unless NULL. */
uint32_t stage_buf(Solve *s, const Frag *f, const Stmt *of, const Layout *reader,
                   const RoundCut *c);
/* The owners' parallel loop over elements w of the fragment, of a round's part (c not NULL): from
 * the fragment to a shared buffer or back. */
Stmt *stage_parloop(Solve *s, const Frag *f, uint32_t dst, uint32_t src, const Marked *w,
                    const RoundCut *c, Loc loc);
/* A new fragment with this layout, declared at the launch's beginning: index in s->frag. */
uint32_t new_frag(Solve *s, const char *name, enum Dtype dt, const Layout *map, int from);
/* body under cond, statement by statement: a parallel loop whose threads with copies read what it
 * updates is taken apart between them (parallel.c).  Names hold statements together. */
Stmt *under_each(Low *l, Stmt *body, Ex cond, Loc loc);

/* rounds.c --------------------------------------------------------- */
/* Can the copies that node n wants of a fragment be made in rounds, of `most` bytes if
 * that goes?  w: what the parallel loop writes. */
bool rounds_find(Solve *s, const SolveNode *n, const NodeAccess *t, const Marked *w, int64_t most,
                 RoundCut *c);
/* Makes them; reader: as for stage_buf. */
void rounds_stage(Solve *s, uint32_t node, const NodeAccess *t, RoundCut *c, const Layout *reader,
                  const Marked *w);
/* Keeps the owners' parallel loop to the part that shared buffer sh holds in this round. */
void rounds_parloop(Low *l, Stmt *parloop, uint32_t sh, const Frag *f, const RoundCut *c);

/* note.c ----------------------------------------------------------- */
/* What the two sides want, and where each has it from. */
Diag *solve_note(Solve *s, Err e, const SolveNode *n, const Frag *f, const Layout *want,
                 int64_t cost);
/* .. and, with that note, that it goes in rounds. */
void rounds_note(Solve *s, Diag *d, const SolveNode *n, const Frag *f, const RoundCut *c);

/* convert.c -------------------------------------------------------------- */
/* A parallel loop over the whole of buffer src copying to dst (same shape), loop layout
 * given. */
Stmt *move_parloop(Solve *s, uint32_t dst, uint32_t src, int ndim, const int32_t *size,
                   const Layout *loop, Loc loc);
/* How many shuffles a thread needs to get from a to b, 0: not by shuffles. */
int shuffle_count(const Solve *s, const Layout *a, const Layout *b);
/* Statements moving registers laid out as a to registers laid out as b. */
Stmt *shuffle_move(Solve *s, uint32_t dst, const Layout *b, uint32_t src, const Layout *a, Loc loc);
/* Memory layout of a staging buffer that one parallel loop writes by w and others read
 * by r, of elements of `bits`: rows, with the XOR that costs fewest waves. */
void stage_map(const Solve *s, int ndim, const int32_t *size, int bits, const Layout *w,
               const Layout *r, Layout *out);

#endif
