// SPDX-License-Identifier: Apache-2.0
/* Status codes and the diagnostic that goes with one.
 *
 * Every function that can fail returns cs_status and fills the cs_diag that it
 * was handed (NULL is allowed: the text is dropped). Nothing is
 * printed. The numbers are frozen: append only. */
#ifndef CS_BASE_DIAG_H
#define CS_BASE_DIAG_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_status {
    CS_OK = 0,
    CS_ERR_USAGE = 1,       /* wrong arguments of a command */
    CS_ERR_SCENARIO = 2,    /* a scenario that says something impossible */
    CS_ERR_FORMAT = 3,      /* an input file that is not what it claims to be */
    CS_ERR_IO = 4,          /* the operating system refused */
    CS_ERR_NO_MEMORY = 5,   /* allocation failed */
    CS_ERR_RANGE = 6,       /* a value outside what the function allows */
    CS_ERR_UNSUPPORTED = 7, /* legal, but this build cannot do it */
    CS_ERR_DIFFERENCE = 8,  /* model and RTL, or file and truth, disagree */
    CS_ERR_UNDECIDED = 9    /* it cannot be known whether file and truth agree */
} cs_status;

typedef struct cs_diag {
    cs_status status;
    char where[256]; /* file or object, "" where there is none */
    unsigned line;   /* 1-based, 0 where unknown */
    unsigned column; /* 1-based, 0 where unknown */
    char text[1024]; /* what was found, what was expected */
} cs_diag;

/* The name of a status, as "CS_ERR_IO"; "CS_ERR_?" for a number that is none. */
const char *cs_status_name(cs_status status);

/* Fills *diag (ignored when NULL) and returns status, so that a caller can
 * write `return cs_diag_set(diag, CS_ERR_RANGE, path, "...", ...)`.
 * `where` may be NULL. */
cs_status cs_diag_set(cs_diag *diag, cs_status status, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with a place in a text file. */
cs_status cs_diag_set_at(cs_diag *diag, cs_status status, const char *where, unsigned line,
                         unsigned column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Writes "where:line:column: text" (parts that are unknown left out) into
 * buffer, NUL terminated, and returns buffer. */
const char *cs_diag_print(const cs_diag *diag, char *buffer, unsigned long size);

#ifdef __cplusplus
}
#endif

#endif
