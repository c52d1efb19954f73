// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/script_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"

#define S cs_scenario

static const cs_key_choice size_choices[] = {
    {"1", 1, NULL, NULL, ""},
    {"2", 2, NULL, NULL, ""},
    {"4", 4, NULL, NULL, ""},
    {"8", 8, NULL, NULL, ""},
    {0},
};
static const cs_key write_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {NUMBER("value", "", 0, UINT64_MAX, NULL, "what is written"), AT(cs_script_step, value)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape write_shape = {SHAPE("write", write_keys, cs_script_step)};

static const cs_key read_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape read_shape = {SHAPE("read", read_keys, cs_script_step)};

/* In the order of cs_step_kind. */
static const cs_key step_keys[] = {
    {MAP("write", &write_shape, "a bus write")},
    {MAP("read", &read_shape, "a bus read")},
    {NUMBER("delay", "bus cycles", 1, CS_STREAM_END, "=", "nothing for so long"),
     AT(cs_script_step, cycles)},
    {NUMBER("wait_irq", "bus cycles", 0, CS_STREAM_END, "=",
            "until the interrupt line is high, at most so long; 0: without limit"),
     AT(cs_script_step, cycles)},
    {NUMBER(
         "cpu", "", 0, CS_MAX_CPUS - 1, "=",
         "the steps from here on are this CPU's, beside those of others (software.ports per_cpu)"),
     AT(cs_script_step, value)},
    {NUMBER("signal", "", 0, CS_MAX_CPUS - 1, "=", "interrupts this CPU, which has steps, too"),
     AT(cs_script_step, value)},
    {NUMBER("wait_signal", "bus cycles", 0, CS_STREAM_END, "=",
            "until another CPU's signal, at most so long; 0: without limit"),
     AT(cs_script_step, cycles)},
    {NUMBER("lock", "", 0, CS_SCRIPT_LOCKS - 1, "=", "spins until this lock is free, and takes it"),
     AT(cs_script_step, value)},
    {NUMBER("unlock", "", 0, CS_SCRIPT_LOCKS - 1, "=", "gives the lock back"),
     AT(cs_script_step, value)},
};
static const cs_key_shape step_shape = {SHAPE("step", step_keys, cs_script_step), .one = true,
                                        .which = offsetof(cs_script_step, kind)};

static cs_status check_script(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];
        const char *kind = step->kind == CS_STEP_WRITE ? "write" : "read";

        if (step->kind != CS_STEP_WRITE && step->kind != CS_STEP_READ)
            continue;
        if (step->addr % step->size != 0) {
            cs_check_at(check, "script.%zu.%s.at", i, kind);
            return cs_check_fail(check, "0x%llx is not a multiple of the size %u",
                                 (unsigned long long)step->addr, step->size);
        }
        if (step->size < 8 && step->value >> (8u * step->size) != 0) {
            cs_check_at(check, "script.%zu.%s.value", i, kind);
            return cs_check_fail(check, "0x%llx does not fit into %u bytes",
                                 (unsigned long long)step->value, step->size);
        }
    }
    return CS_OK;
}

/* Whose each step is. */
static void compute(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint8_t cpu = (uint8_t)s->software->cpu;

    for (size_t i = 0; i < s->nr_script; i++) {
        if (s->script[i].kind == CS_STEP_CPU)
            cpu = (uint8_t)s->script[i].value;
        s->script[i].cpu = cpu;
    }
}

static bool runs_on(const cs_scenario *s, unsigned cpu)
{
    for (size_t i = 0; i < s->nr_script; i++)
        if (s->script[i].kind != CS_STEP_CPU && s->script[i].cpu == cpu)
            return true;
    return false;
}

/* Steps of several CPUs need a port each, and CPUs that are there. */
static cs_status check_cpus(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];
        const unsigned cpu = (unsigned)step->value;

        if (step->kind != CS_STEP_CPU && step->kind != CS_STEP_SIGNAL)
            continue;
        cs_check_at(check, "script.%zu.%s", i, step->kind == CS_STEP_CPU ? "cpu" : "signal");
        if (!s->software->port_per_cpu)
            return cs_check_fail(check, "CPUs side by side need software.ports per_cpu");
        if (cpu >= cs_scenario_cpus(s))
            return cs_check_fail(check, "%u is outside the CPUs 0..%u", cpu,
                                 cs_scenario_cpus(s) - 1);
        if (cs_scenario_cpu_state(s, cpu) >= CS_CPU_OFFLINE)
            return cs_check_fail(check, "CPU %u is %s, no software can run on it", cpu,
                                 cs_cpu_state_name(cs_scenario_cpu_state(s, cpu)));
        if (!runs_on(s, cpu))
            return cs_check_fail(check, "CPU %u has no steps", cpu);
    }
    return CS_OK;
}

/* A CPU has one lock at a time, and gives it back. */
static cs_status check_locks(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint8_t has[CS_MAX_CPUS] = {0}; /* 1 + the lock */

    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];
        uint8_t *mine = &has[step->cpu];

        if (step->kind == CS_STEP_LOCK) {
            cs_check_at(check, "script.%zu.lock", i);
            if (*mine != 0)
                return cs_check_fail(check, "CPU %u has lock %u already", step->cpu, *mine - 1u);
            *mine = (uint8_t)(1 + step->value);
        } else if (step->kind == CS_STEP_UNLOCK) {
            cs_check_at(check, "script.%zu.unlock", i);
            if (*mine != 1 + step->value)
                return cs_check_fail(check, "CPU %u has not got lock %u", step->cpu,
                                     (unsigned)step->value);
            *mine = 0;
        }
    }
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (has[cpu] != 0) {
            cs_check_at(check, "script");
            return cs_check_fail(check, "CPU %u does not give lock %u back", cpu, has[cpu] - 1u);
        }
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    cs_status status;

    cs_check_at(check, "script");
    if (check->scenario->nr_script == 0)
        return cs_check_fail(check, "empty; software.kind script needs steps");
    status = check_script(check);
    if (status == CS_OK)
        status = check_cpus(check);
    return status == CS_OK ? check_locks(check) : status;
}

static const cs_software_rule software = {
    .kind = CS_SOFTWARE_script, .runs_on = runs_on, .needs = {"script"}};

static const cs_key keys[] = {
    {LIST("script", &step_shape, 0, 10000, "[]", "the steps of software.kind script"),
     AT_LIST(S, script, nr_script)},
};
const cs_section cs_section_script = {PART("script", keys), .compute = compute, .check = check,
                                      .software = &software};
