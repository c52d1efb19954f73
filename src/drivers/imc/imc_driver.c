#include "drivers/imc/imc_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/big.h"
#include "base/map.h"
#include "drivers/imc/op_queue.h"
#include "drivers/imc/opal.h"
#include "formats/imc/abi/record.h"
#include "formats/perf/abi/perf.h"

#define SMALL_MEMORY 8192u
#define RECORDS_A_READ (CS_BUS_MAX_BYTES / CS_IMC_TRACE_RECORD_BYTES)
#define LDBAR_SPR 850u
#define LDBAR_ENABLE 0x8000000000000000u
#define LDBAR_TRACE 0x4000000000000000u
#define TB2_MASK 0x3ffffffffffu /* the low 42 bits */
#define KERNEL_SPACE 0xc000000000000000u

/* What the result of an operation is for. */
enum note {
    NOTE_NONE,
    NOTE_OPAL,   /* a write of an OPAL call; a: its number */
    NOTE_FIRST,  /* a = command, b = counter: the value at the start */
    NOTE_COUNT,  /* the same: a later value; c: the last one */
    NOTE_DUMP,   /* a = command, b = CPU, c = first record of the read */
    NOTE_DUMPED, /* the dump of a = command, b = CPU is over */
};

/* A counter of a command: an event on a CPU. */
typedef struct counter {
    const cs_imc_event *event;
    unsigned cpu;
    bool started; /* there is a value to compare with */
    cycle_t from;
    uint64_t value;
} counter;

typedef struct command {
    const cs_perf_spec *spec;
    const cs_imc_unit *unit;
    counter *counters;
    unsigned nr_counters;
    unsigned cpus[CS_MAX_CPUS]; /* those that it is for: one a core, one a chip */
    unsigned nr_cpus;
    bool opened, refused, ended;
    cycle_t due; /* of what comes next */
} command;

const cs_soft_kind cs_soft_imc_opened = {"imc opened"};
const cs_soft_kind cs_soft_imc_count = {"imc count"};
const cs_soft_kind cs_soft_imc_sample = {"imc sample"};

struct cs_imc_driver {
    const cs_scenario *scenario;
    const cs_soft_sink *soft;
    cs_event_source events[CS_MAX_CPUS];
    cs_opal opal;
    cs_op_queue queue;
    cs_op_note note; /* of the operation that is being made */
    cycle_t now;
    bool booted;
    command *commands;
    size_t nr_commands;
    size_t woken;                     /* deep stops that are over, in order of their ends */
    const cs_deep_stop_spec **by_end; /* deep stops in that order */
    unsigned core_references[CS_IMC_MAX_CORES];
    unsigned trace_references[CS_IMC_MAX_CORES];
    unsigned nest_references;
    cs_perf_pmu active; /* core, thread or trace; 0: none */
    unsigned active_references;
    uint64_t ldbar[CS_MAX_CPUS]; /* by CPU, as written last */
    uint64_t previous_timebase;  /* of the scan that goes on */
    cycle_t dump_began;
    cycle_t entered; /* the software came onto the CPU that it is on */
    cs_imc_driver_report report;
};

/* ---- memory ---- */

static unsigned core_of(const cs_scenario *s, unsigned cpu)
{
    return (cpu - cs_scenario_arm_cpus(s)) / s->imc->threads;
}

static unsigned thread_of(const cs_scenario *s, unsigned cpu)
{
    return (cpu - cs_scenario_arm_cpus(s)) % s->imc->threads;
}

uint64_t cs_imc_trace_bytes(const cs_scenario *s)
{
    const cs_imc_unit *unit = cs_imc_catalog_pmu(s->catalog, "trace_imc");
    uint64_t bytes = SMALL_MEMORY;

    if (unit == NULL)
        return CS_IMC_TRACE_BUFFER_BYTES;
    while (bytes < unit->size) /* whole pages, a power of two of them */
        bytes *= 2;
    return bytes;
}

uint64_t cs_imc_core_memory(const cs_scenario *s, unsigned core)
{
    return s->imc_driver->buffers_base + (uint64_t)core * SMALL_MEMORY;
}

uint64_t cs_imc_thread_memory(const cs_scenario *s, unsigned cpu)
{
    return cs_imc_core_memory(s, s->imc->cores) +
           (uint64_t)(cpu - cs_scenario_arm_cpus(s)) * SMALL_MEMORY;
}

uint64_t cs_imc_trace_buffer(const cs_scenario *s, unsigned cpu)
{
    const uint64_t bytes = cs_imc_trace_bytes(s);
    const uint64_t after = cs_imc_thread_memory(s, cs_scenario_hart_cpu(s, 0));

    return (after + bytes - 1) / bytes * bytes + (cpu - cs_scenario_arm_cpus(s)) * bytes;
}

/* ---- operations ---- */

static const cs_op_note nobody = {NOTE_NONE, 0, 0, 0};

static void add(cs_imc_driver *d, cs_op op, cs_op_note note)
{
    cs_op_queue_add(&d->queue, &op, note);
}

static void delay(cs_imc_driver *d, uint64_t cycles)
{
    add(d, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles}, nobody);
}

static void sleep_for(cs_imc_driver *d, uint64_t cycles)
{
    add(d, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycles}, nobody);
}

static void enter(cs_imc_driver *d, unsigned cpu)
{
    add(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu)}, nobody);
}

static void leave(cs_imc_driver *d, unsigned cpu)
{
    add(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu)}, nobody);
}

/* The bytes of a big-endian word as the bus carries them. */
static uint64_t as_bus(uint64_t value)
{
    uint8_t bytes[8];
    uint64_t out = 0;

    cs_big_put64(bytes, value);
    for (unsigned i = 8; i-- > 0;)
        out = out << 8 | bytes[i];
    return out;
}

static void write_word(cs_imc_driver *d, uint64_t addr, uint64_t value, cs_op_note note)
{
    add(d, (cs_op){.kind = CS_OP_WRITE, .addr = addr, .value = value, .size = 8}, note);
}

static void carry_out(cs_imc_driver *d, const cs_opal_answer *answer, cs_op_note note)
{
    delay(d, d->scenario->imc_driver->opal_cycles);
    for (unsigned i = 0; i < answer->nr_writes; i++) {
        const cs_opal_write *w = &answer->writes[i];

        write_word(d, w->addr, w->memory ? as_bus(w->value) : w->value, note);
    }
}

/* The firmware's PIR of a CPU: four threads a core. */
static uint32_t pir_of(const cs_scenario *s, unsigned core)
{
    (void)s;
    return core << 2;
}

static void opal(cs_imc_driver *d, cs_opal_token token, cs_opal_type type, uint64_t addr,
                 unsigned core)
{
    const cs_opal_answer answer =
        cs_opal_call(&d->opal, token, type, addr, pir_of(d->scenario, core));

    d->report.opal_calls++;
    d->report.opal_errors += answer.status != CS_OPAL_SUCCESS;
    carry_out(d, &answer, (cs_op_note){NOTE_OPAL, (unsigned)d->report.opal_calls, 0, 0});
}

static void write_ldbar(cs_imc_driver *d, unsigned cpu, uint64_t value)
{
    const cs_scenario *s = d->scenario;
    const uint64_t thread = (uint64_t)CS_IMC_THREADS * core_of(s, cpu) + thread_of(s, cpu);

    d->ldbar[cpu] = value;
    write_word(d, CS_SPR_BASE + 0x2000 * thread + 8 * LDBAR_SPR, value, nobody);
}

static uint64_t counter_address(const cs_imc_driver *d, const command *c, const counter *k)
{
    const cs_scenario *s = d->scenario;

    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        return s->nest->base + k->event->value;
    case CS_PERF_CORE:
        return cs_imc_core_memory(s, core_of(s, k->cpu)) + k->event->value;
    default:
        return cs_imc_thread_memory(s, k->cpu) + k->event->value;
    }
}

static void read_counters(cs_imc_driver *d, unsigned number, unsigned cpu, enum note what)
{
    command *c = &d->commands[number];

    for (unsigned i = 0; i < c->nr_counters; i++)
        if (c->counters[i].cpu == cpu)
            add(d,
                (cs_op){
                    .kind = CS_OP_READ, .addr = counter_address(d, c, &c->counters[i]), .size = 8},
                (cs_op_note){what, number, i, 0});
}

/* ---- the kernel: add, del ---- */

static void start_core(cs_imc_driver *d, unsigned core)
{
    if (d->core_references[core]++ == 0)
        opal(d, CS_OPAL_IMC_START, CS_OPAL_CORE, 0, core);
}

static void stop_core(cs_imc_driver *d, unsigned core)
{
    if (--d->core_references[core] == 0)
        opal(d, CS_OPAL_IMC_STOP, CS_OPAL_CORE, 0, core);
}

static void add_event(cs_imc_driver *d, const command *c, unsigned cpu)
{
    const cs_scenario *s = d->scenario;
    const unsigned core = core_of(s, cpu);

    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        if (d->nest_references++ == 0)
            opal(d, CS_OPAL_IMC_START, CS_OPAL_NEST, 0, 0);
        break;
    case CS_PERF_CORE:
        start_core(d, core);
        break;
    case CS_PERF_THREAD:
        write_ldbar(d, cpu, (cs_imc_thread_memory(s, cpu) & CS_IMC_ADDRESS_MASK) | LDBAR_ENABLE);
        start_core(d, core);
        break;
    case CS_PERF_TRACE:
        write_ldbar(d, cpu, (cs_imc_trace_buffer(s, cpu) & CS_IMC_ADDRESS_MASK) | LDBAR_TRACE);
        if (d->trace_references[core]++ == 0)
            opal(d, CS_OPAL_IMC_START, CS_OPAL_TRACE, 0, core);
        break;
    }
}

static void delete_event(cs_imc_driver *d, const command *c, unsigned cpu)
{
    const unsigned core = core_of(d->scenario, cpu);

    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        if (--d->nest_references == 0)
            opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
        break;
    case CS_PERF_CORE:
        stop_core(d, core);
        break;
    case CS_PERF_THREAD:
        stop_core(d, core);
        write_ldbar(d, cpu, d->ldbar[cpu] & ~LDBAR_ENABLE);
        break;
    case CS_PERF_TRACE: /* LDBAR stays as it is */
        if (--d->trace_references[core] == 0)
            opal(d, CS_OPAL_IMC_STOP, CS_OPAL_TRACE, 0, core);
        break;
    }
}

/* ---- the dump ---- */

static uint16_t misc_of(const cs_imc_driver *d, uint64_t ip, uint64_t val)
{
    static const uint16_t by_hvpr[] = {CS_PERF_MISC_GUEST_KERNEL, CS_PERF_MISC_GUEST_USER,
                                       CS_PERF_MISC_KERNEL, CS_PERF_MISC_USER};

    if (d->scenario->imc->power10)
        return by_hvpr[val >> 62];
    return ip >= KERNEL_SPACE ? CS_PERF_MISC_KERNEL : CS_PERF_MISC_USER;
}

static void read_records(cs_imc_driver *d, unsigned number, unsigned cpu, unsigned first)
{
    add(d,
        (cs_op){.kind = CS_OP_READ_BURST,
                .addr = cs_imc_trace_buffer(d->scenario, cpu) +
                        (uint64_t)first * CS_IMC_TRACE_RECORD_BYTES,
                .beats = CS_BUS_MAX_BEATS},
        (cs_op_note){NOTE_DUMP, number, cpu, first});
}

static void begin_dump(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    d->report.dumps++;
    read_records(d, number, cpu, 0);
    write_word(d, cs_imc_trace_buffer(d->scenario, cpu), 0,
               (cs_op_note){NOTE_DUMPED, number, cpu, 0});
}

/* The rule of validity; what holds is delivered. */
static bool take_record(cs_imc_driver *d, unsigned number, unsigned cpu, const uint8_t *record)
{
    const uint64_t tb1 = cs_big_get64(record + CS_IMC_RECORD_TB1),
                   ip = cs_big_get64(record + CS_IMC_RECORD_IP);
    cs_context current;

    d->report.scanned++;
    if (tb1 <= d->previous_timebase || (tb1 & TB2_MASK) != cs_big_get64(record + CS_IMC_RECORD_TB2))
        return false;
    d->previous_timebase = tb1;
    /* Who ran there before the software came, which is what the kernel calls current. */
    d->events[cpu].context(d->events[cpu].ctx, d->entered - 1, &current);
    const cs_imc_perf_sample sample = {
        .command = number,
        .cpu = cpu,
        .time = d->now,
        .ip = ip,
        .timebase = tb1,
        .pid = current.cid1,
        .misc = misc_of(d, ip, cs_big_get64(record + CS_IMC_RECORD_VAL)),
        .period = d->commands[number].spec->sample_period,
    };
    d->report.samples++;
    cs_soft_emit(d->soft, &cs_soft_imc_sample, d->now, cpu, &sample);
    return true;
}

static void hear_records(cs_imc_driver *d, const cs_op_note *note, const cs_op_result *result)
{
    const cs_imc_unit *unit = d->commands[note->a].unit;
    const unsigned records = unit != NULL ? unit->size / CS_IMC_TRACE_RECORD_BYTES
                                          : CS_IMC_TRACE_BUFFER_BYTES / CS_IMC_TRACE_RECORD_BYTES;
    unsigned taken = 0;

    if (result->resp == CS_BUS_OKAY)
        while (taken < RECORDS_A_READ && note->c + taken < records &&
               take_record(d, note->a, note->b,
                           result->data + (size_t)taken * CS_IMC_TRACE_RECORD_BYTES))
            taken++;
    if (taken > 0)
        delay(d, (uint64_t)taken * d->scenario->imc_driver->record_cycles);
    if (taken == RECORDS_A_READ && note->c + RECORDS_A_READ < records)
        read_records(d, note->a, note->b, note->c + RECORDS_A_READ);
}

/* ---- perf ---- */

static void begin_on(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    enter(d, cpu);
    delay(d, d->scenario->imc_driver->cross_call_cycles);
    add_event(d, &d->commands[number], cpu);
    if (d->commands[number].spec->pmu != CS_PERF_TRACE)
        read_counters(d, number, cpu, NOTE_FIRST);
    leave(d, cpu);
}

/* The last values, or what is in the buffer. `again`: only for an interval. What is a task's
 * (thread, trace) is stopped before the driver looks, what is a CPU's only after. */
static void end_on(cs_imc_driver *d, unsigned number, unsigned cpu, bool again)
{
    const command *c = &d->commands[number];
    const bool trace = c->spec->pmu == CS_PERF_TRACE;
    const bool stops_first = trace || c->spec->pmu == CS_PERF_THREAD;
    const bool deleted = trace || !again;

    enter(d, cpu);
    delay(d, d->scenario->imc_driver->cross_call_cycles);
    if (deleted && stops_first)
        delete_event(d, c, cpu);
    if (trace)
        begin_dump(d, number, cpu);
    else
        read_counters(d, number, cpu, NOTE_COUNT);
    if (deleted && !stops_first)
        delete_event(d, c, cpu);
    if (trace && again)
        add_event(d, c, cpu);
    leave(d, cpu);
}

static void activate(cs_imc_driver *d, cs_perf_pmu pmu)
{
    if (pmu == CS_PERF_NEST)
        return;
    d->active = pmu;
    d->active_references++;
}

static void deactivate(cs_imc_driver *d, cs_perf_pmu pmu)
{
    if (pmu != CS_PERF_NEST && --d->active_references == 0)
        d->active = 0;
}

static cs_imc_error ask(const cs_imc_driver *d, const command *c, const cs_imc_unit *unit,
                        uint64_t config, const char **reason)
{
    const cs_imc_request request = {
        .pmu = c->spec->pmu,
        .config = config,
        .size = unit != NULL ? unit->size : 0,
        .sample_period = c->spec->sample_period,
        .exclude = c->spec->exclude,
        .task = c->spec->task,
        .privileged = c->spec->privileged,
        .memory = unit != NULL && (c->spec->pmu != CS_PERF_NEST || d->scenario->nest->present),
        .active = d->active,
    };

    return cs_imc_event_init(&request, reason);
}

static void open_command(cs_imc_driver *d, unsigned number)
{
    command *c = &d->commands[number];
    const char *reason = "";
    cs_imc_error error = CS_IMC_GOOD;

    c->opened = true;
    if (c->spec->nr_events == 0)
        error = ask(d, c, c->unit, c->spec->config, &reason);
    for (unsigned i = 0; i < c->nr_counters && error == CS_IMC_GOOD; i++) {
        const cs_imc_event *event = c->counters[i].event;

        error = ask(d, c, event->of, event->value, &reason);
    }
    cs_soft_emit(d->soft, &cs_soft_imc_opened, d->now, d->scenario->software->cpu,
                 &(cs_imc_opened){number, error, reason});
    if (error != CS_IMC_GOOD) {
        d->report.refused++;
        c->refused = c->ended = true;
        return;
    }
    activate(d, c->spec->pmu);
    for (unsigned i = 0; i < c->nr_cpus; i++)
        begin_on(d, number, c->cpus[i]);
}

/* When the command is up next, after `now`. */
static void plan(const cs_imc_driver *d, command *c)
{
    const cs_scenario *s = d->scenario;
    const cycle_t stop = cs_scenario_us(s, c->spec->stop_us);
    const cycle_t step = cs_scenario_us(s, c->spec->interval_us);

    c->due = stop;
    if (step == 0 || c->ended)
        return;
    const cycle_t start = cs_scenario_us(s, c->spec->start_us);
    const cycle_t next = start + ((d->now > start ? d->now - start : 0) / step + 1) * step;
    if (next < stop)
        c->due = next;
}

static void serve_command(cs_imc_driver *d, unsigned number)
{
    command *c = &d->commands[number];

    if (!c->opened) {
        open_command(d, number);
        plan(d, c);
        return;
    }
    const bool again = d->now < cs_scenario_us(d->scenario, c->spec->stop_us);
    for (unsigned i = 0; i < c->nr_cpus; i++)
        end_on(d, number, c->cpus[i], again);
    if (!again) {
        deactivate(d, c->spec->pmu);
        c->ended = true;
    }
    plan(d, c);
}

/* ---- boot, and waking ---- */

static void boot(cs_imc_driver *d)
{
    const cs_scenario *s = d->scenario;
    const unsigned named = s->software->cpu;
    const unsigned cpu =
        cs_scenario_cpu_kind(s, named) == CS_CPU_IMC ? named : cs_scenario_imc_cpu(s, 0, 0);
    const bool trace = cs_imc_catalog_pmu(s->catalog, "trace_imc") != NULL;

    enter(d, cpu);
    if (s->nest->present) { /* skiboot, and again the kernel with its first CPU */
        opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
        opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
    }
    for (unsigned core = 0; core < s->imc->cores; core++)
        opal(d, CS_OPAL_IMC_INIT, CS_OPAL_CORE, cs_imc_core_memory(s, core), core);
    for (unsigned i = cs_scenario_arm_cpus(s); i < cs_scenario_hart_cpu(s, 0); i++)
        write_ldbar(d, i, 0);
    for (unsigned core = 0; core < s->imc->cores && trace; core++)
        opal(d, CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0, core);
    leave(d, cpu);
    d->booted = true;
}

static cycle_t wakes(const cs_imc_driver *d)
{
    if (d->woken == d->scenario->imc->nr_deep_stops)
        return CS_NEVER;
    const cs_deep_stop_spec *stop = d->by_end[d->woken];
    return cs_scenario_us(d->scenario, stop->at_us + stop->for_us) + 1;
}

static void wake(cs_imc_driver *d)
{
    const cs_scenario *s = d->scenario;
    const unsigned core = d->by_end[d->woken++]->core;

    if (s->imc_driver->restore == CS_RESTORE_NONE)
        return;
    const cs_opal_answer answer = cs_opal_wake(&d->opal, core);
    carry_out(d, &answer, nobody);
    for (unsigned thread = 0; thread < s->imc->threads; thread++) {
        const unsigned cpu = cs_scenario_imc_cpu(s, core, thread);

        if (s->imc_driver->restore == CS_RESTORE_ALL && d->ldbar[cpu] != 0)
            write_ldbar(d, cpu, d->ldbar[cpu]);
    }
}

/* ---- as software ---- */

/* A value that the bus did not deliver is none: the next one counts from the last that it did. */
static void hear_value(cs_imc_driver *d, const cs_op_note *note, const cs_op_result *result)
{
    counter *k = &d->commands[note->a].counters[note->b];
    const uint64_t value = as_bus(result->value);

    if (result->resp != CS_BUS_OKAY) {
        d->report.read_errors++;
        return;
    }
    if (note->what == NOTE_COUNT && k->started) {
        const cs_imc_count count = {note->a, k->cpu, k->event, k->from, d->now, value - k->value};

        cs_soft_emit(d->soft, &cs_soft_imc_count, d->now, k->cpu, &count);
    }
    k->started = true;
    k->value = value;
    k->from = d->now;
}

static void hear(cs_imc_driver *d, const cs_op_result *result)
{
    const cs_op_note note = d->note;

    switch ((enum note)note.what) {
    case NOTE_NONE:
        break;
    case NOTE_OPAL:
        if (result->resp == CS_BUS_OKAY)
            break;
        d->report.opal_errors++;
        cs_op_queue_drop(&d->queue, NOTE_OPAL, note.a); /* the rest of the call */
        break;
    case NOTE_FIRST:
    case NOTE_COUNT:
        hear_value(d, &note, result);
        break;
    case NOTE_DUMP:
        hear_records(d, &note, result);
        break;
    case NOTE_DUMPED:
        d->report.dump_cycles += d->now - d->dump_began;
        break;
    }
}

/* What comes next in time: a command's number, or one beyond them for a waking core. */
static cycle_t next_due(const cs_imc_driver *d, size_t *which)
{
    cycle_t due = wakes(d);

    *which = d->nr_commands;
    for (size_t i = 0; i < d->nr_commands; i++) {
        const command *c = &d->commands[i];

        if (!c->ended && c->due < due) {
            due = c->due;
            *which = i;
        }
    }
    return due;
}

/* Fills the queue; false when everything has been done. */
static bool decide(cs_imc_driver *d)
{
    size_t which;

    if (!d->booted) {
        boot(d);
        return true;
    }
    const cycle_t due = next_due(d, &which);
    bool more = which < d->nr_commands;
    for (size_t i = 0; i < d->nr_commands; i++)
        more |= !d->commands[i].ended;
    if (!more)
        return false; /* nobody needs a core that wakes later */
    if (due > d->now) {
        sleep_for(d, due - d->now);
        return true;
    }
    serve_command(d, (unsigned)which); /* who wakes was served in next() */
    return true;
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    cs_imc_driver *d = ctx;
    cs_queued_op queued;

    d->now = now;
    cs_op_queue_begin(&d->queue);
    if (last != NULL)
        hear(d, last);
    if (d->booted && wakes(d) <= now) { /* the firmware of the core does not wait for the kernel */
        cs_op_queue_begin(&d->queue);
        wake(d);
    }
    while (!cs_op_queue_take(&d->queue, &queued)) {
        cs_op_queue_begin(&d->queue);
        if (d->queue.failed || !decide(d)) {
            *op = (cs_op){.kind = CS_OP_END};
            return;
        }
    }
    d->note = queued.note;
    *op = queued.op;
    if (op->kind == CS_OP_ENTER)
        d->entered = now;
    if (queued.note.what == NOTE_DUMP && queued.note.c == 0) {
        d->previous_timebase = 0;
        d->dump_began = now;
    }
}

cs_software cs_imc_driver_software(cs_imc_driver *driver)
{
    return (cs_software){next, driver};
}

const cs_imc_driver_report *cs_imc_driver_get_report(const cs_imc_driver *driver)
{
    return &driver->report;
}

/* ---- create, destroy ---- */

/* One CPU stands for its core, or for the chip. */
static void choose_cpus(const cs_scenario *s, command *c)
{
    for (unsigned cpu = cs_scenario_arm_cpus(s); cpu < cs_scenario_hart_cpu(s, 0); cpu++) {
        if (!c->spec->cpus[cpu])
            continue;
        const unsigned *last = c->nr_cpus > 0 ? &c->cpus[c->nr_cpus - 1] : NULL;
        if (last != NULL &&
            (c->spec->pmu == CS_PERF_NEST ||
             (c->spec->pmu == CS_PERF_CORE && core_of(s, *last) == core_of(s, cpu))))
            continue;
        c->cpus[c->nr_cpus++] = cpu;
    }
}

/* Number k of a command's events; NULL: the config is none of the catalog's. */
static const cs_imc_event *find_event(const cs_scenario *s, const command *c, size_t k)
{
    const cs_perf_spec *spec = c->spec;
    const cs_imc_event *event = NULL;

    if (spec->nr_events == 0)
        return cs_imc_catalog_at(s->catalog, (cs_imc_domain)spec->pmu, (uint32_t)spec->config,
                                 NULL);
    /* The loader has looked all names up: in their PMU, but for the nest's. */
    if (c->unit != NULL)
        event = cs_imc_unit_event(c->unit, spec->events[k]);
    if (event == NULL)
        (void)cs_imc_catalog_find(s->catalog, spec->events[k], &event, NULL);
    return event;
}

static bool make_command(cs_imc_driver *d, command *c, const cs_perf_spec *spec)
{
    static const char *const pmus[] = {[CS_PERF_CORE] = "core_imc",
                                       [CS_PERF_THREAD] = "thread_imc",
                                       [CS_PERF_TRACE] = "trace_imc"};
    const cs_scenario *s = d->scenario;

    c->spec = spec;
    c->due = cs_scenario_us(s, spec->start_us);
    choose_cpus(s, c);
    if (spec->pmu != CS_PERF_NEST)
        c->unit = cs_imc_catalog_pmu(s->catalog, pmus[spec->pmu]);
    const size_t nr_events = spec->nr_events != 0 ? spec->nr_events : 1;
    c->counters = calloc((size_t)c->nr_cpus * nr_events + 1, sizeof *c->counters);
    if (c->counters == NULL)
        return false;
    for (unsigned i = 0; i < c->nr_cpus; i++)
        for (size_t k = 0; k < nr_events; k++) {
            const cs_imc_event *event = find_event(s, c, k);

            if (event == NULL)
                continue;
            c->unit = event->of;
            c->counters[c->nr_counters++] = (counter){.event = event, .cpu = c->cpus[i]};
        }
    return true;
}

static int by_end(const void *a, const void *b)
{
    const cs_deep_stop_spec *x = *(const cs_deep_stop_spec *const *)a;
    const cs_deep_stop_spec *y = *(const cs_deep_stop_spec *const *)b;

    return (x->at_us + x->for_us > y->at_us + y->for_us) -
           (x->at_us + x->for_us < y->at_us + y->for_us);
}

cs_status cs_imc_driver_create(const cs_scenario *s, const cs_event_source *events,
                               const cs_soft_sink *soft, cs_imc_driver **out, cs_diag *diag)
{
    cs_imc_driver *d = calloc(1, sizeof *d);

    *out = NULL;
    if (d == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IMC driver");
    d->scenario = s;
    d->soft = soft;
    memcpy(d->events, events, cs_scenario_cpus(s) * sizeof *events);
    d->opal.config = (cs_opal_config){
        .power10 = s->imc->power10,
        .cores = s->imc->cores,
        .nest = s->nest->present,
        .nest_base = s->nest->base,
        .event_mask = s->imc_driver->event_mask,
        .trace_scom = s->imc_driver->trace_scom,
    };
    cs_op_queue_init(&d->queue);
    d->commands = calloc(s->imc_driver->nr_perf + 1, sizeof *d->commands);
    d->by_end = calloc(s->imc->nr_deep_stops + 1, sizeof *d->by_end);
    bool good = d->commands != NULL && d->by_end != NULL;
    for (size_t i = 0; i < s->imc->nr_deep_stops && good; i++)
        d->by_end[i] = &s->imc->deep_stops[i];
    if (good)
        qsort(d->by_end, s->imc->nr_deep_stops, sizeof *d->by_end, by_end);
    for (size_t i = 0; i < s->imc_driver->nr_perf && good; i++) {
        good = make_command(d, &d->commands[i], &s->imc_driver->perf[i]);
        d->nr_commands++;
    }
    if (!good) {
        cs_imc_driver_destroy(d);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IMC driver");
    }
    *out = d;
    return CS_OK;
}

void cs_imc_driver_destroy(cs_imc_driver *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->nr_commands; i++)
        free(d->commands[i].counters);
    free(d->commands);
    free(d->by_end);
    cs_op_queue_free(&d->queue);
    free(d);
}
