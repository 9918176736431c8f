/* repl/prompt/report.h: errors shown in moontile's form. */
#ifndef MOONTILE_REPORT_H
#define MOONTILE_REPORT_H

#include "repl/options.h"

/* Prints the error value at idx on stderr. */
void report_error(struct lua_State *L, const ReplOptions *o, int idx);
/* Exit status for the error value at idx: ExitFailed, or ExitBug. */
int report_exit(struct lua_State *L, int idx);

#endif
