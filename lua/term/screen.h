/* lua/term/screen.h: what programs of the whole screen, written in Lua, need of it. */
#ifndef MOONTILE_SCREEN_H
#define MOONTILE_SCREEN_H

struct lua_State;

/* Makes the module moontile.screen known to package.preload. */
void screen_preload(struct lua_State *L);

#endif
