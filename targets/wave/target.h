/* targets/wave/target.h: a target on the run-time of HIP and MACA, made of its vendor. */
#ifndef MOONTILE_WAVE_TARGET_H
#define MOONTILE_WAVE_TARGET_H

#include "probe.h"

/* Members of struct Examiner, of a vendor or its device; probe_ask.c. */
extern const char *const wave_questions[];
void wave_look(const Exam *e, const WaveVendor *v, void *dev);
void wave_ask(const Exam *e, const Device *device, const char *options, const char *what);
bool wave_keep(const Device *device, const char *options, const char *lines, Str *path,
               char **err);

/* name_vendor, a WaveVendor, and name_dialect are there: name_device, name_exam, name_target. */
#define WAVE_TARGET(vendor, said) \
    static void *open_it(const char *options, char **err) \
    { return wave_open(&vendor##_vendor, options, err); } \
    const Device vendor##_device = { \
        .open = open_it,           .close = wave_close,       .load = wave_load, \
        .unload = wave_unload,     .launch = wave_launch,     .flush = wave_flush, \
        .describe = wave_describe, .apart = wave_apart,       .mem_new = wave_mem_new, \
        .mem_free = wave_mem_free, .mem_zero = wave_mem_zero, .mem_put = wave_mem_put, \
        .mem_get = wave_mem_get,   .complete = wave_complete, .facts = wave_facts, \
        .text = wave_text,         .bench = wave_bench,       .warm = wave_warm, \
        .aborts = "wave_aborted", \
    }; \
    static void look(const Exam *e, const char *options, void *dev) \
    { (void)options; wave_look(e, &vendor##_vendor, dev); } \
    static void ask(const Exam *e, const char *options, const char *what) \
    { wave_ask(e, &vendor##_device, options, what); } \
    static bool keep(const char *options, const char *lines, Str *path, char **err) \
    { return wave_keep(&vendor##_device, options, lines, path, err); } \
    static const Examiner exam = { \
        .look = look, .groups = wave_questions, .ask = ask, .keep = keep}; \
    static const Machine *machine(Ctx *c, const char *options) \
    { return wave_machine(c, &vendor##_vendor, options); } \
    static bool emit(Prog *p, const char *options, Str *out) \
    { return wave_emit(p, &vendor##_vendor, options, out); } \
    static bool present(void) { return wave_present(&vendor##_vendor); } \
    const Target vendor##_target = { \
        .name = #vendor, .summary = said, .machine = machine, .emit = emit, \
        .present = present, .build = artifact_store, \
        .device = &vendor##_device, .exam = &exam, \
    }

#endif
