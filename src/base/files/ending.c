// SPDX-License-Identifier: Apache-2.0
/* MAP_ANONYMOUS, sigaltstack */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "base/files/ending.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

#define MOST_ACTIONS 32u
/* Software may run on a small stack (base/fiber.h). Pages that are not touched cost nothing. */
#define STACK_BYTES (1u << 20)

static struct {
    cs_ending_action *action;
    void *ctx;
} actions[MOST_ACTIONS];
static volatile sig_atomic_t nr_actions;
static void (*teller)(int number);
static unsigned held;
static sigset_t before_hold;

/* All whose default is to end the process, but for those that tell of a crash: who has crashed removes
 * no files. */
static const int caught[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,   SIGTERM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGVTALRM, SIGPOLL};

static void end(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t only;

    for (int i = nr_actions; i > 0; i--)
        actions[i - 1].action(actions[i - 1].ctx);
    nr_actions = 0;
    if (teller != NULL)
        teller(number);
    sigaction(number, &usual, NULL);
    raise(number);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
}

void cs_ending_catch(void)
{
    struct sigaction ours = {.sa_handler = end, .sa_flags = SA_ONSTACK};
    struct sigaction before;
    stack_t stack;

    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
        stack = (stack_t){.ss_size = STACK_BYTES};
        stack.ss_sp =
            mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (stack.ss_sp != MAP_FAILED)
            sigaltstack(&stack, NULL);
    }
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &ours, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

void cs_ending_set_teller(void (*tell)(int signal))
{
    teller = tell;
}

void cs_ending_hold(void)
{
    sigset_t all;

    if (held++ != 0)
        return;
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        sigaddset(&all, caught[i]);
    sigprocmask(SIG_BLOCK, &all, &before_hold);
}

void cs_ending_release(void)
{
    if (--held == 0)
        sigprocmask(SIG_SETMASK, &before_hold, NULL);
}

bool cs_ending_add(cs_ending_action *action, void *ctx)
{
    bool room;

    cs_ending_hold();
    room = (unsigned)nr_actions < MOST_ACTIONS;
    if (room) {
        actions[nr_actions].action = action;
        actions[nr_actions++].ctx = ctx;
    }
    cs_ending_release();
    return room;
}

void cs_ending_remove(const void *ctx)
{
    int kept = 0;

    cs_ending_hold();
    for (int i = 0; i < nr_actions; i++)
        if (actions[i].ctx != ctx)
            actions[kept++] = actions[i];
    nr_actions = kept;
    cs_ending_release();
}

void cs_ending_forget(void)
{
    teller = NULL;
    nr_actions = 0;
}
