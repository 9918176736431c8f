/* core/lower/audit/guess.h: values for what a kernel knows only when it runs.
 *
 * A guess is made from what is asked for, its parts' values in place of their text: two
 * expressions that are the same but for names, and what can be known of their parts, get
 * the same guess, whoever asks.  So roles that compute one condition, each in its way,
 * come to one result.  Comparisons of floats compare guesses of the floats. */
#ifndef MOONTILE_GUESS_H
#define MOONTILE_GUESS_H

#include "core/ir/eval.h"

enum GuessKind {
    Gmost,                 /* conditions hold, numbers are great */
    Gleast,                /* ... and the contrary */
    Gmixed, Gmixed2,       /* some and some */
    NGuess
};

typedef struct Guess Guess;
struct Guess {
    Eval *ev;              /* knows what can be known; its guess may lead to guess_value() */
    enum GuessKind kind;
    uint32_t *stores;      /* of a private buffer: how often something unknown was put there */
    int left;              /* expressions to look at: what is behind these does not count */
};

/* A number for integer or bool e, which has no value; false: e is a float. */
bool guess_value(Guess *g, Ex e, int64_t *v);

#endif
