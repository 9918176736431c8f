/* targets/gpu/target.h: the Target and the Device of a vendor, whose name_vendor is there. */
#ifndef MOONTILE_GPU_TARGET_H
#define MOONTILE_GPU_TARGET_H

#include "probe.h"

/* Members of struct Examiner, of a vendor or its device; probe_ask.c. */
extern const char *const gpu_questions[];
void gpu_look(const DeviceProbe *e, const GpuVendor *v, void *dev);
void gpu_ask(const DeviceProbe *e, const Device *device, const char *options, const char *what);
bool gpu_devprobe_keep(const Device *device, const char *options, const char *lines, Str *path,
                       DevError *err);

/* vendor_device.  aborted: Device.aborts. */
#define GPU_DEVICE(vendor, aborted) \
    static void *open_it(const char *options, DevError *err) \
    { return gpu_open(&vendor##_vendor, options, err); } \
    const Device vendor##_device = { \
        .open = open_it,            .close = gpu_close,       .load = gpu_load, \
        .unload = gpu_unload,       .launch = gpu_launch,     .flush = gpu_flush, \
        .describe = gpu_describe,   .apart = gpu_apart,       .mem_new = gpu_mem_new, \
        .mem_free = gpu_mem_free,   .mem_zero = gpu_mem_zero, .mem_fill = gpu_mem_fill, \
        .mem_put = gpu_mem_put,     .mem_get = gpu_mem_get,   .facts = gpu_facts, \
        .complete = gpu_complete,   .text = gpu_text,         .bench = gpu_bench, \
        .warm = gpu_warm, \
        .aborts = aborted, \
    }; \
    static const Machine *machine(Ctx *c, const char *options) \
    { return gpu_machine(c, &vendor##_vendor, options); } \
    static bool emit(Prog *p, const char *options, Str *out) \
    { return gpu_emit(p, &vendor##_vendor, options, out); } \
    static bool present(void) { return gpu_present(&vendor##_vendor); } \
    extern const Device vendor##_device

/* Behind GPU_DEVICE: the examination of one whose vendor has words_of_probes. */
#define GPU_EXAM(vendor)                                                                           \
    static void look(const DeviceProbe *e, const char *options, void *dev)                         \
    {                                                                                              \
        (void)options;                                                                             \
        gpu_look(e, &vendor##_vendor, dev);                                                        \
    }                                                                                              \
    static void ask(const DeviceProbe *e, const char *options, const char *what)                   \
    {                                                                                              \
        gpu_ask(e, &vendor##_device, options, what);                                               \
    }                                                                                              \
    static bool keep(const char *options, const char *lines, Str *path, DevError *err)             \
    {                                                                                              \
        return gpu_devprobe_keep(&vendor##_device, options, lines, path, err);                     \
    }                                                                                              \
    static const Examiner devprobe = {                                                             \
        .look = look, .groups = gpu_questions, .ask = ask, .keep = keep}

/* Members of the Target. */
#define GPU_TARGET(vendor, said) \
    .name = #vendor, .summary = said, .text.kind = #vendor, .machine = machine, .emit = emit, \
    .present = present, .build = artifact_store, .device = &vendor##_device, \
    .pace = 1e10

#endif
