/* repl/prompt/look.h: what `moontile doctor` asks of this machine. */
#ifndef MOONTILE_LOOK_H
#define MOONTILE_LOOK_H

struct lua_State;

/* Makes the module moontile.look known to package.preload. */
void look_preload(struct lua_State *L);

#endif
