// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "guest/plugin/threads.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#define LOOK_NS 100000000 /* whether QEMU is to end */
#define SECOND_NS 1000000000
#define SHOWN __attribute__((visibility("default")))

extern int qemu_shutdown_requested_get(void) __attribute__((weak));
extern int qemu_reset_requested_get(void) __attribute__((weak));

typedef int poll_function(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
                          const sigset_t *mask);
typedef int wait_function(pthread_cond_t *condition, pthread_mutex_t *mutex);
typedef int wake_function(pthread_cond_t *condition);

static struct {
    sem_t waits;                       /* posted when the CPUs' thread begins to wait */
    _Atomic(pthread_cond_t *) waiting; /* for that; NULL: it does not, or is woken */
    atomic_bool begun;                 /* it has waited, for the machine to begin */
} g;

static _Thread_local bool is_main, is_cpus;

bool threads_main(void)
{
    is_main = qemu_shutdown_requested_get != NULL && qemu_reset_requested_get != NULL &&
              sem_init(&g.waits, 0, 0) == 0;
    return is_main;
}

void threads_cpus(void)
{
    is_cpus = true;
}

/* Functions of the same name that come after ours. */
static void *next(const char *name, const char *version)
{
    return dlvsym(RTLD_NEXT, name, version);
}

static bool is_to_end(void)
{
    return qemu_shutdown_requested_get() != 0 || qemu_reset_requested_get() != 0;
}

static void sleep_on(void)
{
    struct timespec until;

    while (g.waiting == NULL && !is_to_end()) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        sem_timedwait(&g.waits, &until);
    }
}

/* Somebody types: theirs is another time, anyway. */
static bool types(const struct pollfd *fds, nfds_t nr)
{
    bool any = false;

    for (nfds_t i = 0; i < nr; i++)
        any |= fds[i].fd == 0;
    return any;
}

/* Without a time to wait it does not let the CPUs' thread go on. */
SHOWN int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *timeout, const sigset_t *mask)
{
    static poll_function *real;
    const bool stays = timeout != NULL && timeout->tv_sec == 0 && timeout->tv_nsec == 0;

    if (real == NULL)
        *(void **)&real = next("ppoll", "GLIBC_2.4");
    const int found = real(fds, nr, timeout, mask);

    if (is_main && g.begun && !stays && !types(fds, nr))
        sleep_on();
    return found;
}

SHOWN int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    static wait_function *real;

    if (real == NULL)
        *(void **)&real = next("pthread_cond_wait", "GLIBC_2.3.2");
    if (is_cpus) {
        g.begun = true;
        g.waiting = condition;
        sem_post(&g.waits);
    }
    const int done = real(condition, mutex);

    if (is_cpus)
        g.waiting = NULL;
    return done;
}

SHOWN int pthread_cond_broadcast(pthread_cond_t *condition)
{
    static wake_function *real;

    if (real == NULL)
        *(void **)&real = next("pthread_cond_broadcast", "GLIBC_2.3.2");
    if (g.waiting == condition)
        g.waiting = NULL;
    return real(condition);
}
