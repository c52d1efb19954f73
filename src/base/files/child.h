// SPDX-License-Identifier: Apache-2.0
/* Processes that end with the one that started them, however that ends. */
#ifndef CS_BASE_FILES_CHILD_H
#define CS_BASE_FILES_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_CHILDREN_MOST 256u /* at a time */

/* As fork(). `group`: the child and what it starts itself are a group of their own, which a signal to us
 * ends as a whole. */
pid_t cs_child_start(bool group);

/* The same for one of many: the system ends it (SIGKILL) when we have ended. */
pid_t cs_child_fork(void);

/* As waitpid() gives it; -1: it cannot be waited for. */
int cs_child_wait(pid_t child);
/* The first that ends, of all; -1: there is none. For a process whose children are all from here. */
pid_t cs_child_wait_any(int *status);

#ifdef __cplusplus
}
#endif

#endif
