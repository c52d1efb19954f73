// SPDX-License-Identifier: Apache-2.0
/* What is to be done when a signal ends the process: what is hidden is cleared, what was started is ended.
 * After that the signal takes its course, so that the parent sees the usual status. */
#ifndef CS_BASE_FILES_ENDING_H
#define CS_BASE_FILES_ENDING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For main(), once. Signals that are ignored stay so. SIGXFSZ is ignored from here on: a file that
 * becomes too large is an error of its write. */
void cs_ending_catch(void);

/* Called with the signal, from its handler, when all is cleared; it may call only what is safe there.
 * NULL: nothing is called. */
void cs_ending_set_teller(void (*tell)(int signal));

/* Called from a signal handler: nothing may be called there that does not say it is safe. The last that
 * was added comes first. False: there are too many. */
typedef void cs_ending_action(void *ctx);
bool cs_ending_add(cs_ending_action *action, void *ctx);
void cs_ending_remove(const void *ctx);
/* For a process that has been forked: what is its parent's to clear is not its own. */
void cs_ending_forget(void);

/* Between these two, which may be nested, no signal ends the process; it waits. */
void cs_ending_hold(void);
void cs_ending_release(void);

#ifdef __cplusplus
}
#endif

#endif
