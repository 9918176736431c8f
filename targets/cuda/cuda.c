/* targets/cuda/cuda.c: the cuda target: CUDA C++ for NVRTC, run by an NVIDIA GPU. */
#include "cuda.h"

#include <unistd.h>

/* The machine on the card that the options name: only its figures differ. */
typedef struct Fit Fit;
struct Fit { CudaOptions o; const Machine *m; };

static void fit(Ctx *c, void *ud)
{
    Fit *f = ud;
    Machine *m = anew(c, sizeof *m);
    *m = *f->o.m;
    if (f->o.shared && f->o.shared < m->shared_block)
        m->shared_block = f->o.shared;
    if (f->o.card)
        m->card = f->o.card;
    if (f->o.sms && m->card) {
        Card *card = anew(c, sizeof *card);
        *card = *m->card;
        card->sms = f->o.sms;
        m->card = card;
    }
    f->m = m;
}

static const Machine *machine(Ctx *c, const char *options)
{
    Fit f = {.m = NULL};
    if (!cuda_options(c, options, &f.o))
        return NULL;
    if (!f.o.card && !f.o.sms && !f.o.shared)
        return f.o.m;
    return ctx_try(c, fit, &f) ? f.m : NULL;
}

static bool emit(Prog *p, const char *options, Str *out)
{
    CudaOptions o;
    if (!cuda_options(&p->ctx, options, &o))
        return false;
    Plan *q = plan_new(p);
    return q && emit_program(q, &cuda_dialect, o.fast_math, out);
}

/* A driver leaves one of these; under WSL it is the third. */
static bool present(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/nvidia0", F_OK) == 0 ||
           access("/dev/dxg", F_OK) == 0;
}

const Target cuda_target = {
    .name = "cuda",
    .summary = "an NVIDIA GPU, through CUDA C++ and NVRTC",
    .machine = machine,
    .emit = emit,
    .present = present,
    .build = artifact_store,
    .bundle = cuda_bundle,
    .device = &cuda_device,
};
