/* lua/term/watch.h: what Lua's io cannot ask of files. */
#ifndef MOONTILE_WATCH_H
#define MOONTILE_WATCH_H

struct lua_State;

/* notify(path) -> watcher | nil, why: told of each save of a file, also when an
 * editor puts a new file in its place.  watcher:fd() can be waited for;
 * watcher:changed() says whether the file was saved since the last call;
 * watcher:close() ends it. */
int watch_lua(struct lua_State *L);

/* tempfile(name) -> path of a new, empty file of this user's alone, whose name ends
 * in `name` ("k.lua") | nil, why */
int watch_lua_temp(struct lua_State *L);

#endif
