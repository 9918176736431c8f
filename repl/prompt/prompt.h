/* repl/prompt/prompt.h: the interactive session. */
#ifndef MOONTILE_PROMPT_H
#define MOONTILE_PROMPT_H

#include "repl/options.h"

/* Reads, runs and prints until Ctrl-D, :quit or the end of a pipe.  Returns
 * the exit status: of a pipe, ExitFailed when the last input failed. */
int prompt_run(struct lua_State *L, const ReplOptions *o);

/* locals.c: keeping the locals of one input for the next ------------------- */

/* Pushes the environment of inputs: kept locals first, then globals. */
void locals_push(struct lua_State *L);
/* Runs the chunk on top of the stack with that environment and keeps its
 * top-level locals, also when it fails.  As handled_pcall. */
int locals_pcall(struct lua_State *L, int nres);
/* Makes the outermost constants of the text at idx variables, in its place;
 * false when it has none. */
bool locals_unconst(struct lua_State *L, int idx);

#endif
