/* repl/serve/tokens.h: who may use the server.
 *
 * A token is 45 random letters of five bits (225), shown once.  The file keeps its SHA-256
 * and a name:
 *     name SPACE rights SPACE hash in hex SPACE date
 * rights: "-", or "t" for a teacher's.  With so much chance in it a token needs no salt and no
 * slow hash. */
#ifndef MOONTILE_TOKENS_H
#define MOONTILE_TOKENS_H

#include <sys/stat.h>

#include "core/base/base.h"
#include "core/base/sha256.h"

enum { TokenNameMax = 48, TokenText = 48 };

typedef struct AccessToken AccessToken;
struct AccessToken {
    char name[TokenNameMax + 1], date[24];
    bool teacher;
    unsigned char hash[HashBytes];
};

typedef struct Tokens Tokens;
struct Tokens {
    char *path;
    AccessToken *row; size_t n;
    struct timespec changed; /* of the file, when it was read */
    off_t size;
    ino_t inode;
};

bool random_bytes(void *p, size_t n);

/* path NULL: tokens in the folder of settings.  False: reported.  No file: no tokens. */
bool tokens_open(Tokens *t, Ctx *c, const char *path);
/* Reads the file again if it has changed; false: it cannot be used, and all is as before. */
bool tokens_refresh(Tokens *t, Ctx *c);
void tokens_free(Tokens *t);
/* Whose is it?  Takes the same time whoever's it is.  NULL: nobody's. */
const AccessToken *tokens_find(const Tokens *t, const char *s, size_t n);
const AccessToken *tokens_named(const Tokens *t, const char *name);
/* A new one; its text goes to out.  False: reported. */
bool tokens_add(Tokens *t, Ctx *c, const char *name, bool teacher, char out[TokenText + 1]);
bool tokens_remove(Tokens *t, Ctx *c, const char *name);

#endif
