/* repl/cmd/command.h: what the commands share. */
#ifndef MOONTILE_COMMAND_H
#define MOONTILE_COMMAND_H

#include "repl/options.h"

/* Calls the function below its narg arguments, as a command does: interruptible; an error is
 * shown.  0, or the exit status; results are dropped. */
int command_call(struct lua_State *L, const ReplOptions *o, int narg);
/* Can FILE be read?  Says so when not. */
bool command_readable(const ReplOptions *o);

#endif
