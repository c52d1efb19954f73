// SPDX-License-Identifier: Apache-2.0
/* Preloaded by QEMU it does to its threads what a busy host does now and then: the main one wakes up all the time,
 * and that of the CPUs stands still where a CPU begins to wait. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))
#define MOST_NS 1000000u /* of either */
#define OFTEN 16u        /* one jump of as many */

static _Thread_local unsigned seed = 1;

static struct timespec some_time(void)
{
    return (struct timespec){.tv_nsec = 1 + rand_r(&seed) % MOST_NS};
}

static bool is_main(void)
{
    return gettid() == getpid();
}

SHOWN int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *timeout, const sigset_t *mask)
{
    static int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    const struct timespec soon = some_time();

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "ppoll");
    if (is_main() && (timeout == NULL || timeout->tv_sec > 0 || timeout->tv_nsec > soon.tv_nsec))
        timeout = &soon;
    return real(fds, nr, timeout, mask);
}

/* By which a CPU leaves the code that it executes; QEMU was compiled with checks. */
SHOWN _Noreturn void checked_jump(sigjmp_buf to, int value) __asm__("__longjmp_chk");

SHOWN _Noreturn void checked_jump(sigjmp_buf to, int value)
{
    static void (*real)(sigjmp_buf, int);
    const struct timespec stop = some_time();

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "__longjmp_chk");
    if (!is_main() && rand_r(&seed) % OFTEN == 0)
        nanosleep(&stop, NULL);
    real(to, value);
    abort();
}
