/* core/device/probe.h: looking at a target, and asking its device, in a process of its own: what
 * is opened there may hang or end the process.
 *
 * The process (moontile --probe SPEC GROUP [SKIP ..]) tells what it finds as it goes, a line
 * each, fields between tabs:
 *
 *     begin NAME            what is done now: a hang or a crash is told with it
 *     run NAME              it runs on the device
 *     is NAME VALUE         found
 *     error TEXT            a failure: an error of struct Device as text
 *
 * and the process that waits adds how it ended where it did not end well:
 *
 *     late NAME SECONDS     died NAME SIGNAL      left NAME STATUS
 *
 * An empty GROUP is a look at the target as a whole; others are questions of the device,
 * which a target lists. */
#ifndef MOONTILE_EXAM_H
#define MOONTILE_EXAM_H

#include "session.h"

/* The process that looks --------------------------------------------------- */

typedef struct DeviceProbe DeviceProbe;
struct DeviceProbe { int fd; char **skip; int nskip; };

/* false: this was begun by a process that came to no end with it. */
bool devprobe_begin(const DeviceProbe *e, const char *name);
void devprobe_run_begins(const DeviceProbe *e, const char *name);
PRINTF(3, 4) void devprobe_is(const DeviceProbe *e, const char *name, const char *fmt, ...);
/* Takes err over; none: it stands for a lack of memory. */
void devprobe_error(const DeviceProbe *e, DevError err);

/* What a target has to say beyond what every Device says. */
typedef struct Examiner Examiner;
struct Examiner {
    /* More facts.  dev: what open() gave; NULL: it failed. */
    void (*look)(const DeviceProbe *e, const char *options, void *dev);
    /* Groups of questions, those of a first contact first; NULL behind the last. */
    const char *const *groups;
    void (*ask)(const DeviceProbe *e, const char *options, const char *group);
    /* Keeps the answers, lines "name value", for the device that the options name; path:
     * where.  false: *err. */
    bool (*keep)(const char *options, const char *lines, Str *path, DevError *err);
};

/* The program calls this when its first argument is "--probe"; argv: those behind it. */
int devprobe_main(int argc, char **argv, const Target *const *table);

/* probe_run.c: opens the device, says what it is, compiles a kernel and runs it. */
void devprobe_look(const DeviceProbe *e, const Target *t, const char *options);

/* The process that waits ---------------------------------------------------- */

typedef struct ExamJob ExamJob;
struct ExamJob {
    const char *spec, *group;
    const char *in;      /* its standard input, or NULL */
    int limit_ms;        /* for each process */
    int total_ms;        /* for all of them; 0: as many as it takes */
    bool resume;         /* goes on behind what crashed, in another process */
    bool resume_late;    /* and behind what hung */
    Str lines;           /* what was told; the caller's to free */
    Str noise;           /* what it and what it opened wrote elsewhere; the caller's too */
};
/* false: it could not be started, or was interrupted. */
bool devprobe_ask(ExamJob *j);

#endif
