/* lua/seam/tensor.h: what the files of module moontile.tensor share. */
#ifndef MOONTILE_LUA_TENSOR_H
#define MOONTILE_LUA_TENSOR_H

#include <lauxlib.h>
#include <lua.h>

#include "core/tensor/op.h"
#include "seam.h"

/* tensor.c */
const char *kindof(lua_State *L, int i); /* the kind of value, as people call it */
/* "integer" -> "an integer", in the user's language; stays on the stack */
const char *kind_words(lua_State *L, const char *kind);
const char *shown(lua_State *L, int i); /* strings in quotes; on the stack */
int wrong_arg(lua_State *L, int i, const char *want); /* raises */
int wrong_shape(lua_State *L, int i);                 /* raises */
/* Pushes and returns "0 .. 3, -4 .. -1", "none" for an extent of 0. */
const char *valid_range(lua_State *L, int64_t n);
/* As arg_shape; least is -1 where one extent may be left open, else 0. */
int get_shape(lua_State *L, int i, int64_t *shape, lua_Integer least);
/* A dimension at stack index i, negative from the end; extra: how many places
 * beyond the last are allowed. */
int check_axis(lua_State *L, int i, int ndim, int extra);
Tensor *push_view(lua_State *L, const Tensor *t);
Tensor *push_clone(lua_State *L, const Tensor *t, enum Dtype dt);
bool isscalar(lua_State *L, int i); /* a number or a boolean */
/* Raises for a number at stack index i that an integer dtype cannot hold. */
void check_range(lua_State *L, enum Dtype dt, int i);
/* Stores the Lua number or boolean at stack index i in element `at`. */
void store_element(lua_State *L, Tensor *t, int64_t at, int i);
/* Pushes element `at` as a number or a boolean. */
void push_element(lua_State *L, const Tensor *t, int64_t at);
void fill_tensor(lua_State *L, Tensor *t, int i); /* by the number or boolean at stack index i */
/* Copies the tensor at stack index i into dst, converted, expanded to its shape. */
void assign_tensor(lua_State *L, Tensor *dst, int i);

/* unseen.c: tensors of a dry run, whose values nobody has computed */
/* Whether what is about to be written to `to`, from `from` if that is not NULL, is left out: in a dry
 * run, where it is much or comes from what is not known.  Then `to` is unseen. */
bool unseen_hides(lua_State *L, Tensor *to, const Tensor *from);
void unseen_refuse(lua_State *L, const Tensor *t); /* raises E_unseen_value where t is unseen */
/* Functions of the module on top of the stack that compute tensors, or look at their values. */
typedef struct UnseenGuard UnseenGuard;
struct UnseenGuard {
    const char *name;
    int first, outs, gives; /* the first output, how many; how many come back.  No outs: it looks */
};
/* From now on these follow unseen_hides(), or refuse; up to a NULL name. */
void unseen_guard(lua_State *L, const UnseenGuard *g);
extern const luaL_Reg tensor_unseen[];

/* tensor_index.c: keys, as the top of that file describes them */
int too_many(lua_State *L, const Tensor *t, lua_Integer n); /* indices; raises */
/* Applies the index or slice at stack index i to dimension dim of v, which is `nth` for the user;
 * returns whether the dimension stays. */
bool index_one(lua_State *L, Tensor *v, int dim, int nth, int i);
/* Pushes what the key at stack index i names: a view, or a copy where it has lists; as a number where
 * no dimension is left and `number` asks for that. */
void index_read(lua_State *L, const Tensor *t, int i, bool number);
/* What the key names becomes, or takes in, the number, boolean or tensor at stack index `value`. */
void index_write(lua_State *L, Tensor *t, int i, int value, enum Put how);

/* tensor_view.c, tensor_make.c */
extern const luaL_Reg tensor_views[], tensor_makers[], tensor_randoms[];

#endif
