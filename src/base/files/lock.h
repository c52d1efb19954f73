/* A file that only one process has at a time. */
#ifndef CS_BASE_FILES_LOCK_H
#define CS_BASE_FILES_LOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the file where there is none, waits for whoever has it, and locks it: a descriptor, whose close
 * gives the lock back. It may be removed before that. -1: errno says why not. */
int cs_lock_file(const char *path);

#ifdef __cplusplus
}
#endif

#endif
