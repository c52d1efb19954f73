/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin of QEMU's RISC-V: counts the guest's instructions, hands CSR accesses to the counters over
 * (hart.h), and brings their interrupt back. It includes qemu-plugin.h, whose license this file has; the
 * rest of the project is under its own.
 *
 * One argument, dir=PATH: where `settings` is read, and the log and the guest's files are written. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/hpm/hart.h"
#include "guest/hpm/plugin/machine.h"
#include "guest/hpm/plugin/settings.h"
#include "guest/hpm/programs.h"
#include "guest/log.h"
#include "guest/plugin/counts.h"
#include "guest/plugin/kernel.h"
#include "guest/plugin/memory.h"
#include "guest/plugin/opened.h"
#include "guest/plugin/out.h"
#include "guest/plugin/tasks.h"
#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define PASSED (1u << 30) /* more than there can be left */
#define NAME_BYTES 64
#define PATH_BYTES 4096
#define MOST_BYTES 65536u /* that are put out at once */
#define MOST_EVENTS 32u   /* of perf, that count on a hart at one time */
#define ECALL 0x00000073u
#define EBREAK 0x00100073u
#define C_EBREAK 0x9002u
#define CSR_SETTINGS 0x320u /* mcountinhibit, mhpmevents */
#define USER 1u             /* a mode in the log: the kernel's and the firmware's are 0 */

/* What a hart has executed, as code that QEMU makes adds it up. */
typedef struct cells {
    uint64_t past[HART_MODES]; /* below 0 until the next look */
    hart_executed executed;
} cells;

/* An instruction in a mode. Kept for as long as QEMU may have code of it: to the end. */
typedef struct place {
    uint64_t pc;
    size_t counted; /* COUNTS_NONE: it is not */
    uint8_t mode, kind;
} place;

static struct {
    char dir[PATH_BYTES];
    FILE *log, *out;
    settings settings;
    hart *hart;
    struct qemu_plugin_scoreboard *cells, *counted;
    struct qemu_plugin_register *priv, *sepc, *arguments[TASKS_ARGUMENTS];
    GByteArray *bytes;
    const place *current; /* the CSR instruction that is executed */
    bool pending, enabled;
    bool leave; /* the next instruction waits: an interrupt comes first */
    bridge_memory ram;
    counts *counts;
    tasks *tasks;
    opened *opened;
    uint64_t counting[MOST_EVENTS]; /* ids of perf's events that count, the last one begun behind */
    unsigned nr_counting;
    struct {
        cs_cycle cycle;
        uint64_t pc, number;
        unsigned mode;
        uint32_t image;
    } overflow;     /* the last one */
    uint32_t ended; /* counters whose OF was set before */
    uint64_t samples;
    struct {
        hart_setting setting;
        uint64_t from;  /* what hart_count said when it began */
        uint64_t owner; /* id of perf's event; 0: nobody's */
    } counters[CS_HPM_COUNTERS];
    uint64_t starting, stopping; /* the event that perf has just begun to do that with; 0: none */
} g;

static cells *cells_of(unsigned cpu)
{
    return qemu_plugin_scoreboard_find(g.cells, cpu);
}

static uint64_t *counted_of(unsigned cpu)
{
    return qemu_plugin_scoreboard_find(g.counted, cpu);
}

static uint64_t read_register(struct qemu_plugin_register *reg)
{
    uint64_t value = 0;
    int size = 0;

    g_byte_array_set_size(g.bytes, 0);
    if (reg != NULL)
        size = qemu_plugin_read_register(reg, g.bytes);
    for (int i = size; i-- > 0;)
        value = value << 8 | g.bytes->data[i];
    return value;
}

/* ---- the hart's counters ---- */

static void plan(unsigned cpu)
{
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        cells_of(cpu)->past[mode] = -(g.leave ? 1 : hart_left(g.hart, mode));
}

static void bring_lines(void *qemu, void *data)
{
    const unsigned cpu = (unsigned)(uintptr_t)data;

    (void)qemu;
    machine_set_lcofi(cpu, g.pending, g.enabled);
    g.leave = false;
    plan(cpu);
}

static void tell_overflow(unsigned cpu, const place *p)
{
    const uint32_t image = tasks_image(g.tasks, cpu), ended = hart_overflowed(g.hart);
    const uint32_t newly = ended & ~g.ended;
    const uint64_t excess = newly != 0 ? hart_value(g.hart, (unsigned)__builtin_ctz(newly)) : 0;

    g.overflow.cycle = hart_now(g.hart);
    g.overflow.pc = p->pc;
    g.overflow.mode = p->mode;
    g.overflow.image = image;
    g.overflow.number++;
    fprintf(g.log, "O %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %x %x %" PRIx64 "\n",
            g.overflow.number, g.overflow.cycle, p->pc, p->mode == CS_HPM_MODE_U ? USER : 0, cpu,
            image, newly, excess);
    g.ended = ended;
}

/* Lines may have moved, and what has to be looked for next. */
static void follow(unsigned cpu, const place *p, bool within)
{
    const bool pending = hart_pending(g.hart), enabled = hart_enabled(g.hart);

    if (pending && !g.pending)
        tell_overflow(cpu, p);
    if (pending != g.pending || enabled != g.enabled) {
        g.pending = pending;
        g.enabled = enabled;
        if (within) {
            g.leave = true;
            machine_soon(cpu, bring_lines);
        } else {
            machine_set_lcofi(cpu, pending, enabled);
        }
    }
    plan(cpu);
}

/* An instruction that is told before it is executed goes back: it is executed after the interrupt. */
static void take_back(unsigned cpu, const place *p)
{
    cells *c = cells_of(cpu);

    c->executed.of[p->mode][p->kind]--;
    c->past[p->mode] = -UINT64_C(1);
    if (p->counted != COUNTS_NONE)
        counted_of(cpu)[p->counted]--;
}

static void looked(unsigned cpu, void *at)
{
    const place *p = at;

    if (g.leave) {
        take_back(cpu, p);
        machine_leave(cpu, __builtin_return_address(0));
    }
    hart_tell(g.hart, &cells_of(cpu)->executed, p->mode, p->kind);
    follow(cpu, p, true);
}

/* ECALL and EBREAK do not retire, and are not counted. */
static void on_trap(unsigned cpu, void *data)
{
    (void)data;
    if (g.leave)
        machine_leave(cpu, __builtin_return_address(0));
}

static void on_csr(unsigned cpu, void *at)
{
    (void)cpu;
    g.current = at;
}

/* What perf's event has counted since it was begun, or went on. */
static void end_counter(unsigned cpu, unsigned n)
{
    const uint64_t to = hart_count(g.hart, &g.counters[n].setting, &cells_of(cpu)->executed);

    if (g.counters[n].owner != 0)
        fprintf(g.log, "P %" PRIx64 " %x %" PRIx64 "\n", g.counters[n].owner, cpu,
                to - g.counters[n].from);
    if (g.stopping != 0 && g.counters[n].owner == g.stopping)
        g.counters[n].owner = g.stopping = 0;
}

/* A write of the counters' settings has begun or ended some of them. */
static void look_at_counters(unsigned cpu)
{
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++) {
        const hart_setting now = hart_setting_of(g.hart, n), *was = &g.counters[n].setting;

        if (now.counting == was->counting && now.event == was->event && now.modes == was->modes)
            continue;
        if (was->counting)
            end_counter(cpu, n);
        if (now.counting && g.starting != 0) {
            g.counters[n].owner = g.starting;
            g.starting = 0;
        }
        g.counters[n].setting = now;
        g.counters[n].from = hart_count(g.hart, &now, &cells_of(cpu)->executed);
    }
}

static cs_hpm_result access_csr(unsigned cpu, const cs_hpm_access *what)
{
    cs_hpm_access access = *what;
    const place *p = g.current;
    cs_hpm_result result = {CS_HPM_EXCEPTION_ILLEGAL, 0};

    if (p == NULL)
        return result;
    access.mode = p->mode;
    access.stateen_m = access.stateen_h = true;
    hart_tell(g.hart, &cells_of(cpu)->executed, p->mode, p->kind);
    result = hart_access(g.hart, &access);
    follow(cpu, p, false);
    g.ended = hart_overflowed(g.hart);
    if (access.op != CS_HPM_OP_READ && access.csr - CSR_SETTINGS < CS_HPM_COUNTERS)
        look_at_counters(cpu);
    return result;
}

/* ---- what perf does ---- */

static void end_count(unsigned cpu, uint32_t image)
{
    counts_end(g.counts, cpu, counted_of(cpu), image);
}

static void count_for(unsigned cpu)
{
    const unsigned nr = g.nr_counting;
    const uint64_t id = nr > 0 ? g.counting[nr - 1] : 0;

    counts_change(g.counts, cpu, nr > 0 ? CS_GUEST_BY_EVENT : 0, (uint32_t)id, counted_of(cpu),
                  tasks_image(g.tasks, cpu));
}

static void stop_counting(uint64_t id)
{
    for (unsigned i = 0; i < g.nr_counting; i++)
        if (g.counting[i] == id) {
            memmove(g.counting + i, g.counting + i + 1,
                    (g.nr_counting - i - 1) * sizeof *g.counting);
            g.nr_counting--;
            return;
        }
}

/* The kernel's driver hands an overflow to perf, which makes a sample of where the hart was. */
static void take_sample(unsigned cpu, uint64_t id)
{
    const uint64_t ip = read_register(g.sepc);
    const uint32_t process = tasks_process(g.tasks, cpu);

    fprintf(g.log,
            "R %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %" PRIx64 " %x %x %" PRIx64 " %x %x %" PRIx64
            "\n",
            g.samples, g.overflow.number, g.overflow.cycle, 0u, ip, process,
            g.overflow.mode == CS_HPM_MODE_U ? USER : 0, g.overflow.pc, cpu, g.overflow.image, id);
    fprintf(g.log, "D %" PRIx64 " %x %" PRIx64 "\n", g.samples, process, id);
    g.samples++;
}

static void enter_driver(unsigned cpu, tasks_what what, uint64_t event)
{
    const uint64_t id = opened_id(g.opened, event);

    if (what == TASKS_OPEN) {
        opened_add(g.opened, event);
    } else if (what == TASKS_OVERFLOW) {
        take_sample(cpu, id);
    } else if (what == TASKS_BEGIN) {
        stop_counting(id);
        if (g.nr_counting < MOST_EVENTS)
            g.counting[g.nr_counting++] = id;
        count_for(cpu);
        g.starting = id;
    } else {
        g.stopping = id;
        stop_counting(id);
        count_for(cpu);
    }
}

/* A function of the kernel is entered. */
static void on_entered(unsigned cpu, void *what)
{
    const uint32_t image = tasks_image(g.tasks, cpu);
    uint64_t arguments[TASKS_ARGUMENTS];

    for (unsigned i = 0; i < TASKS_ARGUMENTS; i++)
        arguments[i] = read_register(g.arguments[i]);
    if ((tasks_what)(uintptr_t)what >= TASKS_OPEN) {
        enter_driver(cpu, (tasks_what)(uintptr_t)what, arguments[0]);
        return;
    }
    if (tasks_entered(g.tasks, (tasks_what)(uintptr_t)what, cpu, hart_now(g.hart), arguments))
        end_count(cpu, image);
}

/* ---- what programs of ours ask for ---- */

static bool read_guest(uint64_t address, size_t size)
{
    g_byte_array_set_size(g.bytes, 0);
    return qemu_plugin_read_memory_vaddr(address, g.bytes, size);
}

static void open_out(uint64_t address)
{
    char name[NAME_BYTES];
    size_t i = 0;

    for (; i < NAME_BYTES - 1 && read_guest(address + i, 1) && g.bytes->data[0] != '\0'; i++)
        name[i] = (char)g.bytes->data[0];
    name[i] = '\0';
    out_begin(&g.out, g.dir, name, g.log);
}

static void put_out(uint64_t address, uint64_t bytes)
{
    if (g.out != NULL && bytes <= MOST_BYTES &&
        (!read_guest(address, (size_t)bytes) || !out_put(g.out, g.bytes->data, (size_t)bytes)))
        fprintf(g.log, "X what the guest puts out cannot be written\n");
}

static void on_call(unsigned cpu, void *data)
{
    const uint64_t call = read_register(g.arguments[0]);
    const uint64_t first = read_register(g.arguments[1]);

    (void)cpu;
    (void)data;
    if (call == CS_GUEST_CALL_NAME)
        open_out(first);
    else if (call == CS_GUEST_CALL_PUT)
        put_out(first, read_register(g.arguments[2]));
}

/* ---- translation ---- */

static unsigned mode_now(void)
{
    return g.priv != NULL ? (unsigned)read_register(g.priv) & 3u : CS_HPM_MODE_M;
}

static void add(struct qemu_plugin_insn *insn, struct qemu_plugin_scoreboard *to, size_t offset)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_ADD_U64,
                                                        (qemu_plugin_u64){to, offset}, 1);
}

static place *place_of(uint64_t pc, unsigned mode, uint32_t word)
{
    place *p = malloc(sizeof *p);

    if (p == NULL)
        abort(); /* in the midst of a guest nothing better can be done */
    p->pc = pc;
    p->mode = (uint8_t)mode;
    p->kind = (uint8_t)cs_riscv_kind(word);
    p->counted = counts_place(g.counts, pc, mode == CS_HPM_MODE_U ? USER : 0, p->kind);
    return p;
}

static void watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word)
{
    if (p->kind == CS_RISCV_CSR)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_csr, QEMU_PLUGIN_CB_NO_REGS, (void *)p);
    if (word == CS_RISCV_CALL)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_R_REGS, NULL);
    for (uintptr_t i = 0; i < TASKS_WHATS; i++)
        if (p->pc == g.settings.watched[i])
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_entered, QEMU_PLUGIN_CB_R_REGS,
                                                   (void *)i);
}

static bool retires(uint32_t word)
{
    return word != ECALL && word != EBREAK && (word & 0xffff) != C_EBREAK;
}

static void count(struct qemu_plugin_insn *insn, place *p)
{
    const size_t past = offsetof(cells, past) + p->mode * sizeof(uint64_t);

    add(insn, g.cells,
        offsetof(cells, executed.of) +
            ((size_t)p->mode * CS_RISCV_KINDS + p->kind) * sizeof(uint64_t));
    if (p->counted != COUNTS_NONE)
        add(insn, g.counted, p->counted * sizeof(uint64_t));
    add(insn, g.cells, past);
    qemu_plugin_register_vcpu_insn_exec_cond_cb(insn, looked, QEMU_PLUGIN_CB_RW_REGS,
                                                QEMU_PLUGIN_COND_LT,
                                                (qemu_plugin_u64){g.cells, past}, PASSED, p);
}

/* A block is translated for the mode of that moment. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    const size_t nr = qemu_plugin_tb_n_insns(block);
    const unsigned mode = mode_now();

    (void)id;
    for (size_t i = 0; i < nr; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint8_t code[4] = {0};

        qemu_plugin_insn_data(insn, code, sizeof code);

        const uint32_t word = (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
                              (uint32_t)code[3] << 24;
        place *p = place_of(qemu_plugin_insn_vaddr(insn), mode, word);

        if (retires(word))
            count(insn, p);
        else
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_trap, QEMU_PLUGIN_CB_RW_REGS, NULL);
        watch(insn, p, word);
    }
}

/* ---- begin and end ---- */

static void begun(qemu_plugin_id_t id, unsigned cpu)
{
    GArray *registers = qemu_plugin_get_registers();

    (void)id;
    for (unsigned i = 0; i < registers->len; i++) {
        const qemu_plugin_reg_descriptor *reg =
            (const qemu_plugin_reg_descriptor *)(const void *)registers->data + i;
        unsigned nr;

        if (strcmp(reg->name, "priv") == 0)
            g.priv = reg->handle;
        else if (strcmp(reg->name, "sepc") == 0)
            g.sepc = reg->handle;
        else if (sscanf(reg->name, "a%1u", &nr) == 1 && nr < TASKS_ARGUMENTS &&
                 strlen(reg->name) == 2)
            g.arguments[nr] = reg->handle;
    }
    if (g.priv == NULL || g.sepc == NULL || g.arguments[0] == NULL)
        fprintf(g.log, "X this QEMU does not show a hart's registers\n");
    if (!plugin_find_ram(&g.ram))
        fprintf(g.log, "X the guest's memory was not found\n");
    plan(cpu);
}

static void ended(qemu_plugin_id_t id, void *data)
{
    uint64_t instructions = 0;

    (void)id;
    (void)data;
    if (qemu_plugin_num_vcpus() <= 0) /* there was no machine */
        return;
    const cells *c = cells_of(0);

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
            instructions += c->executed.of[mode][kind];
    end_count(0, tasks_image(g.tasks, 0));
    counts_put(g.counts, g.log);
    if (hart_failed(g.hart) != NULL)
        fprintf(g.log, "X %s\n", hart_failed(g.hart));
    if (ferror(g.log) == 0) /* else it is not whole */
        fprintf(g.log, "E %" PRIx64 " %" PRIx64 " 0\n", instructions,
                settings_cycles(&g.settings, &c->executed));
    fclose(g.log);
    if (g.out != NULL)
        fclose(g.out);
}

static bool create(void)
{
    cs_diag diag = {0};

    if (hart_create(&g.settings.config, g.settings.events, g.settings.cost, &g.hart, &diag) !=
        CS_OK) {
        fprintf(g.log, "X %s\n", diag.text);
        return false;
    }
    kernel_sees(g.settings.windows);
    g.counts = counts_create(1, g.settings.count == CS_GUEST_COUNT_ALL);
    g.tasks = tasks_create(&g.ram, g.log);
    g.opened = opened_create(&g.ram);
    if (g.counts == NULL || g.tasks == NULL || g.opened == NULL)
        return false;
    opened_count_at(g.opened, g.settings.ids);
    return machine_take_csrs(access_csr, g.log);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    char path[PATH_BYTES + 32];

    if (argc != 1 || strncmp(argv[0], "dir=", 4) != 0 || strcmp(info->target_name, "riscv64") != 0)
        return -1;
    snprintf(g.dir, sizeof g.dir, "%s", argv[0] + 4);
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_LOG);
    g.log = fopen(path, "w");
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_SETTINGS);
    if (g.log == NULL || !settings_read(&g.settings, path) || !create())
        return -1;
    g.bytes = g_byte_array_new();
    g.cells = qemu_plugin_scoreboard_new(sizeof(cells));
    g.counted = qemu_plugin_scoreboard_new(COUNTS_MOST * sizeof(uint64_t));
    qemu_plugin_register_vcpu_init_cb(id, begun);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
