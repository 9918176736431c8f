/* repl/options.h: what the command line says. */
#ifndef MOONTILE_OPTIONS_H
#define MOONTILE_OPTIONS_H

#include <stdio.h>

#include "core/base/base.h"

struct lua_State;
typedef struct ReplOptions ReplOptions;

enum { ExitOk = 0, ExitFailed = 1, ExitUsage = 2, ExitBug = 70, ExitInterrupt = 130 };
enum When { WhenAuto, WhenAlways, WhenNever };

/* A command: runs with its options, gives the exit status. */
typedef int Command(struct lua_State *L, const ReplOptions *o);
Command cmd_check, cmd_compile, cmd_explain, cmd_bench; /* cmd/onfile.c */
Command cmd_convert, cmd_help, cmd_plot, cmd_puzzles, cmd_serve, cmd_doctor; /* a file each */

/* -e or -l, to be done in the order given */
typedef struct Action {
    char flag;
    const char *arg;
} Action;

struct ReplOptions {
    int argc;
    char **argv;
    int script;          /* argv[script] is FILE or "-"; 0: there is none */
    Action *action;      /* malloc'd */
    int naction;
    Command *command;    /* of a command word; NULL: run FILE */
    const char *connect;            /* the URL of a server */
    char *spec;                     /* malloc'd: what connect and -t make of target */
    const char *target, *emit, *outdir, *irfile, *irlower;
    bool all;                       /* help */
    const char *kernel, *svg;       /* plot */
    int width, more[2], nmore;      /* plot: columns; places of WHAT and {OPTIONS} in argv */
    int own, nown;                  /* puzzles, serve, doctor: their words and flags in argv */
    const char *code;    /* puzzles: --lang python or lua: what solutions are written in */
    bool token_file;     /* --token-file was given */
    bool prompt, noenv, warn, json, version, help, irtrip, ircheck, selfcheck;
    enum Lang lang;
    enum When colour;
};

/* Fills o from the command line and the environment.  False after a message
 * on stderr: the program ends with ExitUsage. */
bool options_parse(ReplOptions *o, int argc, char **argv);
void options_free(ReplOptions *o);
/* The help of the program; of a command, o->command, with its own flags. */
void options_help(FILE *f, const ReplOptions *o);

/* The command whose name is nearly this, or NULL. */
const char *options_word_near(const char *name);

/* What is wrong with a command line; {1} .. {3} are the strings given. */
enum Say {
#define SAY(id, en, zh) SAY##id,
#include "flags.h"
    NSay
};

/* cmd/command.c: "moontile: ..." and where to look, on one line of stderr. */
void usage_error(enum Lang lang, enum Say what, const char *a, const char *b, const char *c);

/* prompt/report.c: should this stream be coloured?  NO_COLOR, TERM and --color decide. */
bool colour_on(const ReplOptions *o, FILE *f);

#endif
