#define _XOPEN_SOURCE 700
#include "report/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lockstep/die/tool.h"
#include "report/page.h"

#define PATH_BYTES 4400u
#define CODE "echarts.min.js"
#define LICENCES "licences.txt"
#define LOCK "packages.lock" /* what was fetched: must be what this program knows */

char *cs_report_read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t have = 0, room = 1u << 16;
    char *text = file != NULL ? malloc(room) : NULL;

    while (text != NULL) {
        have += fread(text + have, 1, room - have - 1, file);
        if (have + 1 < room)
            break;
        char *more = realloc(text, room *= 2);

        if (more == NULL)
            free(text);
        text = more;
    }
    if (text != NULL && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text != NULL)
        text[have] = '\0';
    if (file != NULL) {
        const int why = errno;

        fclose(file);
        errno = why;
    }
    return text;
}

static bool has_code(const char *folder)
{
    char path[PATH_BYTES + 32];

    snprintf(path, sizeof path, "%s/" CODE, folder);
    return access(path, R_OK) == 0;
}

/* Beside the program, below its prefix, in the cache. */
static bool find_folder(char *out, size_t size)
{
    static const char *const beside[] = {"share/countersink/report", "../share/countersink/report"};
    char program[PATH_BYTES] = "";
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length > 0) {
        program[length] = '\0';
        *strrchr(program, '/') = '\0';
    }
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        snprintf(out, size, "%.*s/%s", (int)(size - 64), program, beside[i]);
        if (has_code(out))
            return true;
    }
    if (cs_tool_cache(NULL, program, sizeof program, NULL) != CS_OK)
        return false;
    snprintf(out, size, "%.*s/report", (int)(size - 64), program);
    return has_code(out);
}

static char *load(const char *folder, const char *name, cs_diag *diag)
{
    char path[PATH_BYTES + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = cs_report_read_file(path);

    if (text == NULL)
        cs_diag_set(diag, errno == ENOMEM ? CS_ERR_NO_MEMORY : CS_ERR_UNSUPPORTED, path,
                    "cannot read a part of the plotting library: %s; run: tools/setup.sh report",
                    strerror(errno));
    return text;
}

cs_status cs_report_library_load(const char *own, cs_report_library *out, cs_diag *diag)
{
    char folder[PATH_BYTES];
    cs_diag why = {0};

    *out = (cs_report_library){0};
    snprintf(folder, sizeof folder, "%s", own != NULL ? own : "");
    if (own != NULL ? !has_code(own) : !find_folder(folder, sizeof folder))
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, own,
                           "the plotting library, which the page holds, is not there; "
                           "tools/setup.sh report fetches it once");
    char *lock = load(folder, LOCK, &why);

    if (lock != NULL && strcmp(lock, cs_report_page_text("packages")) != 0)
        cs_diag_set(&why, CS_ERR_UNSUPPORTED, folder,
                    "the plotting library is another one than this program was made for; "
                    "tools/setup.sh report fetches it anew");
    free(lock);
    if (why.status == CS_OK)
        out->code = load(folder, CODE, &why);
    if (why.status == CS_OK)
        out->licences = load(folder, LICENCES, &why);
    if (why.status == CS_OK)
        return CS_OK;
    cs_report_library_free(out);
    if (diag != NULL)
        *diag = why;
    return why.status;
}

void cs_report_library_free(cs_report_library *library)
{
    free(library->code);
    free(library->licences);
    *library = (cs_report_library){0};
}
