/* lua/seam/seam.h: core's things as Lua values: what the files of this folder give each other and
 * the program.  One block a file. */
#ifndef MOONTILE_LUA_SEAM_H
#define MOONTILE_LUA_SEAM_H

#include "core/device/session.h"
#include "core/ir/ir.h"
#include "core/tensor/tensor.h"
#include "lua/state/api.h"

/* modules.c: makes the C modules of lua/ known to every state that is opened from now on. */
void seam_init(void);

/* tensor.c (moontile.tensor) */
#define TENSOR_TYPE "moontile.tensor" /* userdata: a Tensor that owns a reference */
/* Pushes an empty tensor, already owned by Lua, for the caller to fill. */
Tensor *push_tensor(lua_State *L);
/* Pushes a tensor of zeros; raises E_tensor_memory. */
Tensor *new_tensor(lua_State *L, enum Dtype dt, int ndim, const int64_t *shape);
Tensor *check_tensor(lua_State *L, int i); /* raises E_tensor_arg */
Tensor *test_tensor(lua_State *L, int i);  /* or NULL */
/* A dtype by name; raises E_tensor_dtype. */
enum Dtype arg_dtype(lua_State *L, int i);
/* A shape, {m, n} or one number, into shape[TensorDims]; returns its rank. */
int arg_shape(lua_State *L, int i, int64_t *shape);
/* The table at the top, a list of extents, prints itself as {2, 3}; it stays a plain table to
 * isplain(). */
void shape_prints(lua_State *L);
/* Pushes "(3, 4)". */
const char *push_shape(lua_State *L, int ndim, const int64_t *shape);
/* Raises e at the user's line; args are strings up to a NULL.  Never returns. */
int tensor_fail(lua_State *L, Err e, ...);

/* layout.c (moontile.layout): pushes l as an object; the module must be loaded. */
void layout_push(lua_State *L, const Layout *l);

/* session.c (moontile.session) */
#define SESSION_TYPE "moontile.session" /* userdata: a device session */
#define MODULE_TYPE "moontile.module"   /* userdata: a kernel loaded in one */

/* session.c: an error that a read in co has left for co's next instruction, of which there
 * was none, becomes L's. */
void session_inherit(lua_State *L, lua_State *co);

/* The openers of the modules in C of this folder; the build finds them in the sources. */
int luaopen_moontile_export(lua_State *L);
int luaopen_moontile_feedback(lua_State *L);
int luaopen_moontile_fetch(lua_State *L);
int luaopen_moontile_flow(lua_State *L);
int luaopen_moontile_host(lua_State *L);
int luaopen_moontile_ir(lua_State *L);
int luaopen_moontile_irbuffers(lua_State *L);
int luaopen_moontile_irtext(lua_State *L);
int luaopen_moontile_jobs(lua_State *L);
int luaopen_moontile_layout(lua_State *L);
int luaopen_moontile_npy(lua_State *L);
int luaopen_moontile_bytes(lua_State *L);
int luaopen_moontile_pack(lua_State *L);
int luaopen_moontile_ref(lua_State *L);
int luaopen_moontile_session(lua_State *L);
int luaopen_moontile_stats(lua_State *L);
int luaopen_moontile_tensor(lua_State *L);

#endif
