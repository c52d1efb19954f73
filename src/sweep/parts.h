// SPDX-License-Identifier: Apache-2.0
/* The folder in which the tasks of a sweep under Slurm leave their points, FILE.parts. A file in it says of
 * which sweep it is: nothing is put into a folder without it, and nothing removed from there. */
#ifndef CS_SWEEP_PARTS_H
#define CS_SWEEP_PARTS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_sweep_parts {
    CS_SWEEP_PARTS_FREE, /* an empty folder */
    CS_SWEEP_PARTS_OWN,  /* of this sweep */
    CS_SWEEP_PARTS_OTHER /* of another one, or no sweep's, or no folder, or it cannot be read */
} cs_sweep_parts;

/* Whose the folder is. */
cs_sweep_parts cs_sweep_parts_of(const char *folder, const char *identity);

/* Makes it the sweep's. False: errno says why; it is as it was. */
bool cs_sweep_parts_mark(const char *folder, const char *identity);

/* Removes what the sweep and its tasks have made there, and the folder where nothing else is in it. */
void cs_sweep_parts_remove(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
