/* lua/term/key.h: one key at a time, for views that are walked through. */
#ifndef MOONTILE_KEY_H
#define MOONTILE_KEY_H

#include <stddef.h>

enum KeyResult { KeyGot, KeyStop, KeyEnd };

/* Waits for a key of a capable terminal (tty.h): a character in UTF-8, or what an arrow
 * or function key sends.  KeyStop: Ctrl-C; KeyEnd: Ctrl-D, or nobody is there any more.
 * Between tty_begin(true) and tty_end. */
enum KeyResult key_take(char *out, size_t size);

struct lua_State;
/* key() -> the key, "^C", or nil at the end; keys() -> can they be read? */
int key_lua(struct lua_State *L);
int key_lua_able(struct lua_State *L);

#endif
