// SPDX-License-Identifier: Apache-2.0
/* A PMU for any program, on any machine (docs/uses/pmu_anywhere.md). */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/files/ending.h"
#include "base/number.h"
#include "cli/cli.h"
#include "pmu/pmu.h"

#define STEP_US 1000u
#define MOST_STEP_US 1000000u
#define MOST_COUNTERS 31u
#define NOT_FOUND 127 /* as a shell, env and timeout have it */
#define NOT_EXECUTABLE 126

enum { TRUTH = CS_OPTION_LONG, TIME, STEP, DENY, FAIL, NO_OVERFLOW, COUNTERS, PARANOID, NO_SYSFS };

typedef struct request {
    cs_pmu_options options;
    cs_sets sets;
    bool verbose;
} request;

/* ---- how it ended ---- */

/* As the program was ended, so are we: a shell sees the same. */
static int end_likewise(int ended)
{
    const struct rlimit none = {0, 0};
    const int number = WTERMSIG(ended);

    if (WIFEXITED(ended))
        return WEXITSTATUS(ended);
    setrlimit(RLIMIT_CORE, &none); /* the program has left its own */
    signal(number, SIG_DFL);
    raise(number);
    return 128 + number;
}

static void summarize(const cs_pmu_result *result)
{
    fprintf(stderr,
            "countersink: %" PRIu64 " events opened, %" PRIu64 " reads, %" PRIu64
            " samples, %" PRIu64 " records lost; %" PRIu64 " calls answered\n",
            result->opened, result->reads, result->samples, result->lost, result->calls);
}

static int run_program(request *asked, char *const argv[])
{
    cs_pmu_result result;
    cs_diag diag = {0};

    asked->options.sets = asked->sets.texts;
    asked->options.nr_sets = asked->sets.count;
    if (cs_pmu_run(&asked->options, argv, &result, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (result.why != 0) {
        fprintf(stderr, "countersink: %s: %s\n", argv[0], strerror(result.why));
        return result.why == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
    }
    if (result.no_sysfs != NULL && asked->verbose)
        cs_cli_warn("%s", result.no_sysfs);
    if (asked->verbose)
        summarize(&result);
    return end_likewise(result.ended);
}

/* ---- arguments ---- */

static int take_number(const cs_args *args, const char *option, uint64_t least, uint64_t most,
                       uint64_t *out)
{
    if (cs_number_of(args->value, most, out) && *out >= least)
        return EXIT_GOOD;
    return cs_cli_usage(args->command, "--%s %s: %" PRIu64 "..%" PRIu64 " is allowed", option,
                        args->value, least, most);
}

static int take_unsigned(const cs_args *args, const char *option, uint64_t most, unsigned *out)
{
    uint64_t number = 0;
    const int status = take_number(args, option, 1, most, &number);

    *out = (unsigned)number;
    return status;
}

static int take_step(const cs_args *args, uint64_t *step_ns)
{
    const int status = take_number(args, "step", 1, MOST_STEP_US, step_ns);

    *step_ns *= 1000;
    return status;
}

static int take_time(const cs_args *args, uint64_t *step_ns)
{
    if (strcmp(args->value, "steps") == 0)
        *step_ns = *step_ns != 0 ? *step_ns : STEP_US * 1000;
    else if (strcmp(args->value, "real") == 0)
        *step_ns = 0;
    else
        return cs_cli_usage(args->command, "--time: found '%s', expected real or steps",
                            args->value);
    return EXIT_GOOD;
}

static int take_paranoid(const cs_args *args, int *paranoid)
{
    const bool less = strcmp(args->value, "-1") == 0;
    uint64_t number = 0;
    const int status = less ? EXIT_GOOD : take_number(args, "paranoid", 0, 4, &number);

    *paranoid = less ? -1 : (int)number;
    return status;
}

static int take(request *asked, cs_args *args, int id)
{
    cs_pmu_options *o = &asked->options;

    switch (id) {
    case CS_ID_SET:
        return cs_sets_take(&asked->sets, args);
    case TRUTH:
        o->truth = args->value;
        return EXIT_GOOD;
    case TIME:
        return take_time(args, &o->step_ns);
    case STEP:
        return take_step(args, &o->step_ns);
    case DENY:
        o->deny = args->value;
        return EXIT_GOOD;
    case FAIL:
        return take_unsigned(args, "fail", UINT32_MAX, &o->fail);
    case COUNTERS:
        return take_unsigned(args, "counters", MOST_COUNTERS, &o->counters);
    case NO_OVERFLOW:
        o->no_overflow = true;
        return EXIT_GOOD;
    case PARANOID:
        return take_paranoid(args, &o->paranoid);
    case NO_SYSFS:
        o->no_sysfs = true;
        return EXIT_GOOD;
    case 'v':
        asked->verbose = true;
        return EXIT_GOOD;
    default:
        return CS_ARGS_STOP;
    }
}

/* The words after the first "--": the program and its arguments. 0: there is none. */
static int words_of_program(const cs_args *args)
{
    int i = 1;

    while (i < args->argc && strcmp(args->argv[i], "--") != 0)
        i++;
    return i < args->argc ? args->argc - i - 1 : 0;
}

static int run(cs_args *args)
{
    request asked = {.options = {.paranoid = -1}, .sets = {.count = 0}};
    const int words = words_of_program(args); /* getopt moves them */
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        const int status = take(&asked, args, id);

        if (status == CS_ARGS_STOP)
            return args->status;
        if (status != EXIT_GOOD)
            return status;
    }
    if (words == 0)
        return cs_cli_usage(args->command, "expected -- and a program");
    if (args->nr_operands > words + 1)
        return cs_cli_usage(args->command, "expected at most one machine before --, found %d",
                            args->nr_operands - words);
    if (args->nr_operands == words + 1)
        asked.options.machine = args->operands[0];
    return run_program(&asked, args->operands + args->nr_operands - words);
}

static const cs_choice times[] = {
    {"real", "a thread's time is what it really spends on a CPU"},
    {"steps", "each call about an event takes its thread one step: every run gives the same"},
    {0},
};

static const cs_option options[] = {
    {.id = TRUTH,
     .name = "truth",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "writes what the program was told, and what was true, as SQLite"},
    {.id = TIME,
     .name = "time",
     .value = "T",
     .choices = times,
     .text = "real (default) or steps: whether runs can be repeated"},
    {.id = STEP, .name = "step", .value = "US", .text = "a step (default: 1000); implies steps"},
    {.id = COUNTERS,
     .name = "counters",
     .value = "N",
     .text = "general counters of each core (default: the machine's)"},
    {.id = DENY, .name = "deny", .value = "PMU", .text = "this PMU is not there"},
    {.id = FAIL,
     .name = "fail",
     .value = "N",
     .text = "every Nth opening of a hardware event fails with EBUSY"},
    {.id = NO_OVERFLOW,
     .name = "no-overflow",
     .text = "counters have no overflow interrupt: sampling is refused"},
    {.id = PARANOID,
     .name = "paranoid",
     .value = "N",
     .text = "kernel.perf_event_paranoid of the machine, -1..4 (default: -1)"},
    {.id = NO_SYSFS,
     .name = "no-sysfs",
     .text = "does not show the PMUs in /sys/bus/event_source/devices"},
    {.id = 'v', .name = "verbose", .text = "prints at the end what the program has asked for"},
    CS_OPTION_SET,
    {0},
};

static const cs_example examples[] = {
    {"pmu -- perf stat -e cycles,instructions -- ls", "stock perf, where there is no PMU"},
    {"pmu --time steps --truth t.sqlite -- ./my_test",
     "the same counts in every run, and the truth"},
    {"pmu --counters 2 -- perf stat -e cycles,instructions,branches,cache-misses -- ls",
     "more events than counters"},
    {0},
};

const cs_command cs_command_pmu = {
    .name = "pmu",
    .summary = "run a program whose perf_event_open is answered by simulated hardware",
    .usage = "[options] [MACHINE] -- PROGRAM [ARGUMENT...]",
    .options = options,
    .operand = {"MACHINE", "machine and a program", CS_VALUE_YAML, 1, CS_OPERANDS_ANY},
    .text = "The program needs no change, no PMU and no privilege: its calls are answered by a "
            "supervisor (seccomp user notification). MACHINE is a scenario, as those in "
            "configs/pmu; its workloads say what threads do. A thread counts while it is on a CPU.",
    .examples = examples,
    .ends = "the program's own; 127 or 126, it cannot be started; 2 bad use or scenario, or this "
            "system does not allow it",
    .run = run,
};
