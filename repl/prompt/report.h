/* repl/prompt/report.h: running Lua with errors shown in moontile's form. */
#ifndef MOONTILE_REPORT_H
#define MOONTILE_REPORT_H

#include "repl/options.h"

/* lua_pcall with a message handler that gives Lua's own errors a place, the
 * calls that led there, and turns errors of moontile's own Lua into E_bug. */
int report_handler(struct lua_State *L); /* that handler */
int report_pcall(struct lua_State *L, int narg, int nres);
/* Prints the error value at idx on stderr. */
void report_error(struct lua_State *L, const Options *o, int idx);
/* Exit status for the error value at idx: ExitFailed, or ExitBug. */
int report_exit(struct lua_State *L, int idx);

#endif
