/* repl/prompt/session.h: what the files of the interactive session share. */
#ifndef MOONTILE_REPL_SESSION_H
#define MOONTILE_REPL_SESSION_H

#include <lua.h>

#include "core/base/base.h"
#include "repl/edit/line.h"
#include "repl/options.h"

/* Something that Lua waits for while the prompt does: session.idle. */
typedef struct Waiter Waiter;
struct Waiter {
    int fd;             /* -1: none */
    double seconds, at; /* every so many, next then; < 0: never */
    int f, ready;       /* registry references; ready: LUA_NOREF for none */
    int id;             /* 0: this place is free */
    bool due;
};
enum { Waiters = 12 };

typedef struct Prompt Prompt;
struct Prompt {
    lua_State *L;
    const ReplOptions *o; /* own */
    ReplOptions own; /* the command line's, until :set changes it */
    int base;        /* of the stack between inputs */
    int number;      /* of the next input */
    bool tty, quit;
    bool failed;     /* did the last input fail? */
    bool python;     /* the language of what could be Lua and Python */
    bool told_python; /* was it said that it is Python? */
    bool ran_python; /* was the last input in it? */
    int code;        /* of :quit */
    int results;     /* of the last input */
    Waiter waiter[Waiters];
    int waiters;     /* made so far */
    LineHost host;
};

/* input.c: (text, chunk name) -> function, is it an expression?
 *                              | nil, error, is it incomplete? */
int input_compile(lua_State *L);

/* language.c: as input_compile, of both languages: (text, chunk name, whole, is Python the session's language?)
 *     -> function, is it an expression?, is it Python?  |  nil, error, is it incomplete?
 * whole: nothing can come behind the text; else a block of Python goes on until an empty line. */
int language_compile(lua_State *L);
/* Is a text that is being typed Python? */
bool language_python(const Prompt *p, const char *text, size_t n);
/* The session's language after an input in that one. */
void language_follow(Prompt *p, const char *text, bool python, bool expr);
void language_failed(Prompt *p, const char *text); /* the same, where the error on top is Python's */

/* prompt.c: shows the error on top of the stack. */
void prompt_failed(Prompt *p);
/* Calls session.after; number: of an input, else 0. */
void prompt_after(Prompt *p, const char *kind, const char *text, int number);

/* modes.c: runs a line that is no Lua; false when it is none. */
bool mode_run(Prompt *p, const char *line);

/* session.c: makes moontile.prompt, with what commands may use. */
void prompt_module(Prompt *p);
void prompt_forget(Prompt *p, Waiter *w);
/* Pushes the module's field, returns its type. */
int prompt_field(lua_State *L, const char *name);

/* host.c: what the line editor asks of the session. */
void host_open(Prompt *p);

#endif
