/* targets/cuda/compiler.c: NVRTC: which of its versions serves best, what chips it knows, what
 * it says about kernels. */
#include <stdio.h>
#include <string.h>

#include "cuda.h"

static bool compiler_knows(const GpuRtc *t, const char *arch)
{
    for (int i = 0; i < t->narch; i++)
        if (t->arch[i] == cuda_arch_number(arch))
            return true;
    return t->narch == 0;
}

/* Code of a newer CUDA than the driver's cannot be loaded for sure; an older compiler may not
 * know the chip. */
int cuda_rank(const GpuRtc *t, int driver, const char *arch)
{
    bool fits = !driver || t->version / 1000 <= driver / 1000;
    return (fits ? 4000 : 0) + (compiler_knows(t, arch) ? 2000 : 0) + t->version / 10 % 1000 / 10;
}

/* For a chip that this NVRTC does not know: PTX for the newest one it does. */
bool cuda_target_of(const GpuRtc *t, const char *arch, char out[24])
{
    int newest = 0;
    snprintf(out, 24, "%s", arch);
    if (compiler_knows(t, arch))
        return false;
    for (int i = 0; i < t->narch; i++)
        if (t->arch[i] < cuda_arch_number(arch) && t->arch[i] > newest)
            newest = t->arch[i];
    snprintf(out, 24, "compute_%d", newest);
    return true;
}

/* Drivers of CUDA 13 load what 12's makes. */
const char *cuda_wheel(int driver) { return driver && driver < 12000 ? "11" : "12"; }

/* The log --------------------------------------------------------------------- */

/* The text between the first two quotes of s, into out. */
static void compiler_quoted(const char *s, char *out, size_t size)
{
    const char *a = strchr(s, '\''), *b = a ? strchr(a + 1, '\'') : NULL;
    if (b && (size_t)(b - a) < size) {
        memcpy(out, a + 1, (size_t)(b - a) - 1);
        out[b - a - 1] = '\0';
    }
}

/* One line of ptxas' log. */
void cuda_figures(void *figures, const char *line)
{
    GpuFigures *f = figures;
    Str *info = f->info;
    const char *s;
    int regs = 0, stores = 0, loads = 0;
    if (strstr(line, "Compiling entry function")) {
        *f = (GpuFigures){.info = info};
        compiler_quoted(line, f->kernel, sizeof f->kernel);
    } else if ((s = strstr(line, " bytes stack frame"))) {
        while (s > line && (s[-1] >= '0' && s[-1] <= '9'))
            s--;
        sscanf(s, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &f->stack,
               &stores, &loads);
        f->more = stores + loads;
    } else if ((s = strstr(line, "Used ")) && sscanf(s, "Used %d registers", &regs) == 1) {
        if (f->kernel[0])
            str_fmt(info, "kernel %s %d %d %d\n", f->kernel, regs, f->stack, f->more);
    } else if ((s = strstr(line, "(C7")) || (s = strstr(line, "warning"))) {
        str_fmt(info, "warning %s\n", s);
    }
}
