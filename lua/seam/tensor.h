/* lua/seam/tensor.h: what the files of module moontile.tensor share. */
#ifndef MOONTILE_LUA_TENSOR_H
#define MOONTILE_LUA_TENSOR_H

#include <lauxlib.h>
#include <lua.h>

#include "seam.h"

/* tensor.c */
const char *kindof(lua_State *L, int i); /* the kind of value, as people call it */
/* "integer" -> "an integer", in the user's language; stays on the stack */
const char *kind_words(lua_State *L, const char *kind);
const char *shown(lua_State *L, int i); /* strings in quotes; on the stack */
int wrong_arg(lua_State *L, int i, const char *want); /* raises */
int wrong_shape(lua_State *L, int i);                 /* raises */
int too_many(lua_State *L, const Tensor *t, lua_Integer n); /* indices; raises */
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

/* tensor_view.c, tensor_make.c */
extern const luaL_Reg tensor_views[], tensor_makers[], tensor_randoms[];

#endif
