/* lua/reader/dialect.h: the reader in front of Lua: what kernel writers type, turned
 * into plain Lua 5.4 line for line. */
#ifndef MOONTILE_DIALECT_H
#define MOONTILE_DIALECT_H

#include "core/base/base.h"

typedef struct DialectInfo DialectInfo;
struct DialectInfo {
    bool all_staged;  /* in: treat the whole text as staged code (tests) */
    bool known;       /* in: code that is not staged asks for values that it cannot decide by */
    uint32_t before;  /* in: bytes of src in front of the user's; columns count from there */
    bool incomplete;  /* the text ends too early: more of it could be right */
    bool changed;     /* out differs from src */
    uint32_t nstaged; /* staged functions found, nested ones included */
};

/* Translates src[0..n) and appends the result to out.  chunk is the name as
 * Lua has it ("@file.lua", "=stdin").  On an error exactly one message is
 * added to c and false returned; never unwinds.  info may be NULL; its outputs
 * are set in either case.  Text without any construct of the dialect comes out
 * byte for byte, unless info->known; no token changes its line. */
bool dialect_translate(Ctx *c, const char *src, size_t n, const char *chunk,
                       Str *out, DialectInfo *info);

#endif
