/* lua/term/interrupt.h: Ctrl-C, and the one hook that a Lua state has. */
#ifndef MOONTILE_INTERRUPT_H
#define MOONTILE_INTERRUPT_H

#include <lua.h>
#include <stdbool.h>

/* While a program runs: Ctrl-C sets interrupt_asked, which stops waits for
 * a kernel or a compiler, and makes Lua code raise E_stopped.  A second one
 * within two seconds sets interrupt_asked to 2: waits kill what they wait
 * for; outside the prompt it ends the process. */
void interrupt_begin(lua_State *L, bool prompt);
/* Gives SIGINT back to what it did before; true when an interrupt arrived since begin. */
bool interrupt_end(lua_State *L);

bool interrupt_seen(void); /* has one arrived since begin? */

/* What else the hook is for: called with each return event of L while set
 * (NULL: not).  Set it between begin and end. */
void interrupt_onreturn(lua_State *L, lua_Hook f);

/* Makes coroutines interruptible: resume and wrap note which one runs. */
void interrupt_open(lua_State *L);

#endif
