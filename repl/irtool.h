/* repl/irtool.h: the hidden flags that run parts of the core on IR text. */
#ifndef MOONTILE_IRTOOL_H
#define MOONTILE_IRTOOL_H

#include "options.h"

/* --ir-roundtrip FILE: reads FILE and prints it; the print must read back to
 * the same print.  --ir-check FILE: reads FILE and runs the source checks and
 * the verifier; with --ir-lower MACHINE[:PASS] it lowers what FILE holds and
 * prints that.  Messages go to stderr; the exit status tells. */
int irtool_run(const ReplOptions *o);

#endif
