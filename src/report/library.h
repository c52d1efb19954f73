/* The plotting library: its files, from the folder where tools/setup.sh has put them. */
#ifndef CS_REPORT_LIBRARY_H
#define CS_REPORT_LIBRARY_H

#include "base/diag.h"

typedef struct cs_report_library {
    char *code, *licences; /* whole files */
} cs_report_library;

/* `own`: the folder, or NULL for the first of the usual places that has it. CS_ERR_UNSUPPORTED: it is
 * not there, or not the one that this program was made for. */
cs_status cs_report_library_load(const char *own, cs_report_library *out, cs_diag *diag);
void cs_report_library_free(cs_report_library *library);

/* A whole file with a zero behind it; NULL: errno says why. */
char *cs_report_read_file(const char *path);

#endif
