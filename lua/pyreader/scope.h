/* lua/pyreader/scope.h: what the names of a Python text are: whose variables.
 *
 * A scope is the module, a function, a lambda, a class or a comprehension.  As in Python, a name that
 * a function assigns anywhere is its own, one that it only reads is that of the function around, else the module's. */
#ifndef MOONTILE_PYTHON_SCOPE_H
#define MOONTILE_PYTHON_SCOPE_H

#include "ast.h"

/* How functions are traced: not at all; as a kernel's; as a macro, which may be called from kernels. */
enum PyStage { PSplain, PSkernel, PSmacro };

typedef struct PyScope PyScope;

/* A name of a scope. */
typedef struct PyVar PyVar;
struct PyVar {
    PyVar *next, *chain; /* the scope's next; the next of its bucket */
    const char *name; /* Python's */
    const char *lua;  /* as it is printed: a local, an element of the spill table, a global */
    PyScope *owner;   /* whose variable it is; the module's for globals */
    bool param, global, nonlocal;
    bool shadowed; /* the module's, meant in a function inside of one with a local of that name */
    bool bound;       /* assigned in this scope */
    bool captured;    /* a function inside uses it */
    uint32_t nset;    /* places that assign it, parameters among them */
    bool deleted;     /* loses its value somewhere: `del`, the end of `except .. as` */
    uint32_t index;   /* of the owner's variables */
    uint32_t *blocks; /* staged functions: blocks in which it is assigned */
    uint32_t nblock, capblock;
};

struct PyScope {
    PyScope *up;
    PyNode *node;    /* Module, FunctionDef, Lambda, ClassDef, or a comprehension */
    PyVar *var, **tail;
    PyVar **bucket;  /* by a hash of the name, where there are many */
    uint32_t nbucket, nname; /* a power of two or 0; names in the list */
    uint32_t id;     /* from 1 */
    uint32_t nvar;   /* variables of its own */
    enum PyStage stage;
    bool generator;  /* has a yield */
    bool spills;     /* more variables than Lua's locals: the rest in a table */
    PyNode *cls;     /* the class in whose body a function stands */
};

/* Finds the scopes of a tree; a node's own is in its `note`.  Unwinds on what is wrong
 * (nonlocal at the top, a name that is parameter and global, return outside a function ..). */
void py_scopes(Ctx *c, PyTree *t);
static inline PyScope *py_scope(const PyNode *n) { return n->note; }
/* The variable that a name in this scope means; never NULL. */
PyVar *py_find(Ctx *c, PyScope *s, const char *name);
/* Where Lua takes no such name: ours. */
const char *py_lua_name(Ctx *c, const char *name);

#endif
