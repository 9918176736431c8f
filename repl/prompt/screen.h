/* repl/prompt/screen.h: what programs of the whole screen, written in Lua, need of it. */
#ifndef MOONTILE_SCREEN_H
#define MOONTILE_SCREEN_H

struct lua_State;

/* Makes the modules moontile.screen and moontile.keep known to package.preload. */
void screen_preload(struct lua_State *L);

/* keep.c: opens moontile.keep */
int keep_lua(struct lua_State *L);

#endif
