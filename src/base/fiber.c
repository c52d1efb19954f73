// SPDX-License-Identifier: Apache-2.0
/* A mapped stack with a guard page below. A POSIX context enters it; from then on the compiler's own
 * jumps switch, as swapcontext asks the kernel for the signal mask each time. The sanitizer is told
 * about each switch: it keeps track of stacks. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_STACK */
#include "base/fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef __GLIBC__

#define STACK_BYTES ((size_t)256 << 10)
#define GUARD_BYTES ((size_t)4 << 10)

/* What __builtin_setjmp fills in. */
typedef void *place[5];

struct cs_fiber {
    ucontext_t begin;
    place inside, outside; /* where to go on */
    bool begun;
    void (*main)(void *ctx);
    void *ctx;
    char *map;
    bool ended;
    const void *outside_stack;
    size_t outside_bytes;
};

/* A switch has a first half, on the stack that is left, and a second one on the other. */
static void leave(cs_fiber *fiber, bool into, void **own)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(own, into ? fiber->map + GUARD_BYTES : fiber->outside_stack,
                                   into ? STACK_BYTES : fiber->outside_bytes);
#else
    (void)fiber, (void)into, (void)own;
#endif
}

static void arrive(cs_fiber *fiber, bool inside, void *own)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(own, inside ? &fiber->outside_stack : NULL,
                                    inside ? &fiber->outside_bytes : NULL);
#else
    (void)fiber, (void)inside, (void)own;
#endif
}

/* A function of its own: who has set a place may not jump to it. */
static __attribute__((noinline, noreturn)) void jump(place to)
{
    __builtin_longjmp(to, 1);
}

/* makecontext hands over ints only: a pointer goes in two of them. */
static void enter(unsigned low, unsigned high)
{
    cs_fiber *fiber = (cs_fiber *)((uintptr_t)low | (uintptr_t)high << 32);

    arrive(fiber, true, NULL);
    fiber->main(fiber->ctx);
    fiber->ended = true;
    leave(fiber, false, NULL);
    jump(fiber->outside);
}

cs_status cs_fiber_create(void (*main)(void *ctx), void *ctx, cs_fiber **out, cs_diag *diag)
{
    cs_fiber *fiber = calloc(1, sizeof *fiber);
    char *map = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    *out = NULL;
    if (fiber == NULL || map == MAP_FAILED || mprotect(map, GUARD_BYTES, PROT_NONE) != 0 ||
        getcontext(&fiber->begin) != 0) {
        if (map != MAP_FAILED)
            munmap(map, GUARD_BYTES + STACK_BYTES);
        free(fiber);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "fiber", "no memory for a stack");
    }
    fiber->main = main;
    fiber->ctx = ctx;
    fiber->map = map;
    fiber->begin.uc_stack.ss_sp = map + GUARD_BYTES;
    fiber->begin.uc_stack.ss_size = STACK_BYTES;
    makecontext(&fiber->begin, (void (*)(void))enter, 2, (unsigned)(uintptr_t)fiber,
                (unsigned)((uintptr_t)fiber >> 32));
    *out = fiber;
    return CS_OK;
}

void cs_fiber_destroy(cs_fiber *fiber)
{
    if (fiber == NULL)
        return;
    munmap(fiber->map, GUARD_BYTES + STACK_BYTES);
    free(fiber);
}

void cs_fiber_resume(cs_fiber *fiber)
{
    if (fiber->ended)
        return;
    void *own = NULL; /* what the sanitizer keeps of the stack that is left */

    leave(fiber, true, &own);
    if (__builtin_setjmp(fiber->outside) == 0) {
        if (fiber->begun)
            jump(fiber->inside);
        fiber->begun = true;
        setcontext(&fiber->begin);
    }
    arrive(fiber, false, own);
}

void cs_fiber_suspend(cs_fiber *fiber)
{
    void *own = NULL;

    leave(fiber, false, &own);
    if (__builtin_setjmp(fiber->inside) == 0)
        jump(fiber->outside);
    arrive(fiber, true, own);
}

bool cs_fiber_ended(const cs_fiber *fiber)
{
    return fiber->ended;
}

#else /* musl declares contexts and does not have them */

cs_status cs_fiber_create(void (*main)(void *ctx), void *ctx, cs_fiber **out, cs_diag *diag)
{
    (void)main, (void)ctx;
    *out = NULL;
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, "fiber",
                       "software on a stack of its own: needs the contexts of glibc");
}

void cs_fiber_destroy(cs_fiber *fiber)
{
    (void)fiber;
}

void cs_fiber_resume(cs_fiber *fiber)
{
    (void)fiber;
}

void cs_fiber_suspend(cs_fiber *fiber)
{
    (void)fiber;
}

bool cs_fiber_ended(const cs_fiber *fiber)
{
    (void)fiber;
    return true;
}

#endif
