/* lua/pyreader/python.h: the reader of TileLang's Python: what kernel writers know, turned into plain Lua 5.4 of
 * the same lines, which calls moontile.python as `__py` and, in kernels, `__stage`. */
#ifndef MOONTILE_PYTHON_H
#define MOONTILE_PYTHON_H

#include "ast.h"

/* Translates src[0..n) and appends the result to out.  chunk is the name as Lua has it ("@file.py", "=stdin").
 * On an error exactly one message is added to c and false returned; never unwinds. */
bool python_translate(Ctx *c, const char *src, size_t n, const char *chunk, Str *out, PyInfo *info);

/* Prints the program in the dialect, line beside line, as it would be written by hand.  False: one error was added to c.
 * What has no counterpart stays as a comment; *nleft counts such statements, each of which has a message in c. */
bool python_convert(Ctx *c, const char *src, size_t n, const char *chunk, Str *out, uint32_t *nleft);

#endif
