// SPDX-License-Identifier: Apache-2.0
/* A guest that is the same however its host shares out its processors. QEMU has a thread that executes the CPUs,
 * and a main one that moves the clock on while all CPUs wait, and runs timers. It also wakes up at other
 * times: each second of the host's, and after timers that the CPUs' thread has run. If it then finds that the last
 * CPU has just begun to wait, and the CPUs' thread has not yet said how far it came, the clock moves too far; and if
 * it runs a timer before the CPUs' thread does, another CPU has the next turn.
 *
 * So the main thread sleeps on (ppoll) until the CPUs' thread waits for it (pthread_cond_wait): of these, and of what
 * ends the wait, the plugin has the functions that QEMU finds, as it is preloaded. */
#ifndef CS_GUEST_PLUGIN_THREADS_H
#define CS_GUEST_PLUGIN_THREADS_H

#include <stdbool.h>

/* Called on the main thread, before the machine begins. False: this QEMU is another. */
bool threads_main(void);

/* Called on the CPUs' thread, before it waits. */
void threads_cpus(void);

#endif
