/* core/device/options.h: the words behind a target's name, "-arch=sm_90a -fast-math", read
 * by a table: what each is called, what may stand behind its "=", where it goes. */
#ifndef MOONTILE_OPTIONS_H
#define MOONTILE_OPTIONS_H

#include "error.h"

typedef struct OptionWord OptionWord;
struct OptionWord {
    const char *s; size_t n;           /* "-sms=104" */
    const char *value; size_t nvalue;  /* "104"; NULL: there is no "=" */
};
bool option_is(const OptionWord *w, const char *value); /* the value is this one */
/* The value as a number of lo .. hi; false: it is none. */
bool option_number(const OptionWord *w, uint64_t lo, uint64_t hi, uint64_t *out);

enum OptionKind {
    OPTflag,    /* bool: true; nothing stands behind the name, and all others have a value */
    OPTint, OPTuint64, /* a number of lo .. hi */
    OPTon_off,  /* bool */
    OPTown      /* read by take() */
};
typedef struct Option Option;
struct Option {
    const char *name;          /* "-sms" */
    const char *help;          /* in the list of what is known: "-sms=N"; NULL: not there */
    enum OptionKind kind;
    size_t at;                 /* of the member of the options */
    int64_t lo, hi;
    const char *known;         /* what may stand there, for a message; NULL: take() tells */
    /* false: a wrong value; what is right is in `known`, or is added to it. */
    bool (*take)(const OptionWord *w, void *options, Str *known);
};

typedef struct Options Options;
struct Options {
    const char *target;        /* a word of its own name is passed over */
    const Option *row; int n;
    /* Words that no row has; NULL: they are wrong. */
    void (*other)(const OptionWord *w, void *options);
};

/* Reads all words of text (or NULL) into options.  false: reported into c. */
bool options_read(Ctx *c, const Options *t, const char *text, void *options);
/* The same as an error of struct Device; none: all are right. */
DevError options_error(const Options *t, const char *text, void *options);

#endif
