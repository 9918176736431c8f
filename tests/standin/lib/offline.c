/* offline.c: a stand-in for mxcc and hipcc: `mxcc .. --offload-arch=A .. -o OUT IN`. */
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *arch = "", *out = NULL, *in = NULL;
    static char text[1 << 22];
    char *log = NULL;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--version") == 0)
            return puts("stand-in compiler\nversion 1.0.0 (test)"), 0;
        else if (strncmp(argv[i], "--offload-arch=", 15) == 0)
            arch = argv[i] + 15;
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            out = argv[++i];
        else if (strcmp(argv[i], "-x") == 0)
            i++;
        else if (argv[i][0] != '-')
            in = argv[i];
    FILE *f = in ? fopen(in, "rb") : NULL;
    if (!f || !out || !*arch || fread(text, 1, sizeof text - 1, f) == 0)
        return fprintf(stderr, "usage: --offload-arch=ARCH -o OUT IN\n"), 2;
    fclose(f);
    int r = standin_compile(text, arch, out, &log);
    fputs(log ? log : "", stderr);
    return r;
}
