/* repl/serve/kin.c: processes as /proc lists them; folders that go with them. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kin.h"

enum { OpenFolders = 16, EnvironBytes = 16384 };

/* "PID (NAME) STATE PARENT GROUP SESSION ..": a name may hold anything, brackets too. */
static bool read_stat(const char *pid, Kin *k)
{
    char path[64], text[512], state;
    int parent, group, session;
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    if (!end || sscanf(end + 1, " %c %d %d %d", &state, &parent, &group, &session) != 4)
        return false;
    *k = (Kin){(pid_t)atoi(pid), parent, session, state == 'Z' || state == 'X'};
    return true;
}

bool kin_each(bool (*f)(void *ud, const Kin *k), void *ud)
{
    DIR *d = opendir("/proc");
    bool go = d != NULL;
    for (const struct dirent *e; go && (e = readdir(d));) {
        Kin k;
        if (isdigit((unsigned char)e->d_name[0]) && read_stat(e->d_name, &k))
            go = f(ud, &k);
    }
    if (d)
        closedir(d);
    return d != NULL;
}

bool kin_below(const Kin *k, const char *folder)
{
    static const char name[] = "TMPDIR=";
    char path[64], text[EnvironBytes + 1];
    const size_t nname = sizeof name - 1, nfolder = strlen(folder);
    snprintf(path, sizeof path, "/proc/%d/environ", (int)k->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, EnvironBytes);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (const char *e = text; e < text + n; e += strlen(e) + 1) {
        const char *v = e + nname;
        if (strncmp(e, name, nname) == 0 && strncmp(v, folder, nfolder) == 0)
            return v[nfolder] == '/' || v[nfolder] == '\0';
    }
    return false;
}

static int kin_drop(const char *path, const struct stat *st, int what, struct FTW *at)
{
    (void)st, (void)at;
    if (what == FTW_DP)
        rmdir(path);
    else
        unlink(path);
    return 0; /* what stays does not keep the rest */
}

void folder_remove(const char *path)
{
    nftw(path, kin_drop, OpenFolders, FTW_DEPTH | FTW_PHYS);
}
