// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <sys/stat.h>

#include "scenario/check.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/stream/events.h>

#define S cs_guest_spec
#define MOST_CPUS 8u /* one executes at a time: what waits for another costs time */

static const cs_key_choice kinds[] = {
    {"none", CS_GUEST_NONE, NULL,
     "run kernel initrd firmware elf files threads memory_mib limit_s fault faulty counts cycles "
     "caches pins program",
     "the scenario is simulated"},
    {"power9", CS_GUEST_POWER9, "run",
     "kernel initrd files threads memory_mib limit_s fault faulty counts cycles program",
     "Linux on a POWER9, by QEMU"},
    {"riscv64", CS_GUEST_RISCV64, NULL,
     "run kernel initrd firmware elf files threads memory_mib limit_s fault faulty counts cycles "
     "caches pins program",
     "Linux on RISC-V, or a program for bare harts, by QEMU"},
    {0},
};

static const cs_key_choice threads[] = {
    {"1", 1, NULL, NULL, "one CPU a core"},
    {"2", 2, NULL, NULL, "SMT2"},
    {"4", 4, NULL, NULL, "SMT4"},
    {0},
};

static const cs_key_choice faults[] = {
    {"none", CS_GUEST_NO_FAULT, NULL, "faulty", "nothing"},
    {"address", CS_GUEST_WRONG_ADDRESS, NULL, "faulty", "addresses are 4 too high"},
    {"lost", CS_GUEST_LOST, NULL, "faulty",
     "they never reach memory; of riscv64 an overflow has no interrupt"},
    {"late", CS_GUEST_LATE, NULL, "faulty",
     "of riscv64: an overflow's interrupt comes one instruction late"},
    {"count", CS_GUEST_COUNT_OFF, NULL, "faulty",
     "of riscv64: a counter that perf starts begins one too high"},
    {0},
};

static const cs_key_choice counts[] = {
    {"trace", CS_GUEST_COUNT_TRACE, NULL, NULL, "while trace mode runs"},
    {"imc", CS_GUEST_COUNT_IMC, NULL, NULL, "while anything of IMC counts"},
    {"all", CS_GUEST_COUNT_ALL, NULL, NULL, "from the first instruction on"},
    {0},
};

#define CYCLES(name_, text_)                                                                       \
    {                                                                                              \
        NUMBER(#name_, "cycles", 1, CS_GUEST_MOST_CYCLES, "1", text_), AT(S, cycles.name_)         \
    }
static const cs_key cycles_keys[] = {
    CYCLES(load, "an instruction that loads"),
    CYCLES(store, "one that stores"),
    CYCLES(branch, "a branch, taken or not"),
    CYCLES(other, "any other"),
};
static const cs_key_shape cycles_shape = {SHAPE("guest_cycles", cycles_keys, S)};

static const cs_key function_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "its symbol"), .min = 1, .max = CS_NAME_BYTES - 1,
     AT(cs_guest_function, name)},
    {NUMBER("loops", "", 1, 100000000, NULL, "loops of 8 instructions each time it is called"),
     AT(cs_guest_function, loops)},
    {NUMBER("loads", "", 0, CS_GUEST_LOOP_BODY, "0", "how many of these 8 instructions load"),
     AT(cs_guest_function, loads)},
    {NUMBER("stores", "", 0, CS_GUEST_LOOP_BODY, "0",
            "how many of them store; the last one is a branch"),
     AT(cs_guest_function, stores)},
    {NUMBER(
         "stride", "bytes", 0, 2047, "0",
         "of riscv64: how far its loads and stores move on in each loop, from where they begin in "
         "each call"),
     AT(cs_guest_function, stride)},
};
static const cs_key_shape function_shape = {
    SHAPE("guest_function", function_keys, cs_guest_function)};

static const cs_key program_keys[] = {
    {OTHER("name", CS_KEY_LABEL, "work", "the command"), .min = 1, .max = CS_NAME_BYTES - 1,
     AT(S, program.name)},
    {NUMBER("rounds", "", 1, 1000000, "100", "how often it calls all of its functions"),
     AT(S, program.rounds)},
    {LIST("functions", &function_shape, 0, 64, "[]",
          "its functions, in the order in which they are called"),
     AT_LIST(S, program.functions, program.nr_functions)},
};
static const cs_key_shape program_shape = {SHAPE("guest_program", program_keys, S)};

static const cs_key pins_keys[] = {
    {NUMBER("from", "cycles", 0, UINT64_MAX, "0", "the first cycle of the hart"), AT(S, pins.from)},
    {NUMBER("cycles", "cycles", 0, 1000000000, "0", "how many; 0: none"), AT(S, pins.cycles)},
};
static const cs_key_shape pins_shape = {SHAPE("guest_pins", pins_keys, S)};

#define SETS(nr_)                                                                                  \
    {                                                                                              \
        NUMBER("sets", "", 0, 4096, "0", "how many sets, a power of two; 0: it is not there"),     \
            AT(S, caches[nr_].sets)                                                                \
    }
#define WAYS(nr_, text_)                                                                           \
    {                                                                                              \
        NUMBER("ways", "", 1, 64, "8", text_), AT(S, caches[nr_].ways)                             \
    }
#define LINE(nr_)                                                                                  \
    {                                                                                              \
        NUMBER("line", "bytes", 16, 1024, "64", "bytes of a line, a power of two"),                \
            AT(S, caches[nr_].line)                                                                \
    }
static const cs_key l1d_keys[] = {SETS(CS_GUEST_L1D), WAYS(CS_GUEST_L1D, "lines of a set"),
                                  LINE(CS_GUEST_L1D)};
static const cs_key l1i_keys[] = {SETS(CS_GUEST_L1I), WAYS(CS_GUEST_L1I, "lines of a set"),
                                  LINE(CS_GUEST_L1I)};
static const cs_key dtlb_keys[] = {SETS(CS_GUEST_DTLB), WAYS(CS_GUEST_DTLB, "pages of a set")};
static const cs_key itlb_keys[] = {SETS(CS_GUEST_ITLB), WAYS(CS_GUEST_ITLB, "pages of a set")};
static const cs_key_shape l1d_shape = {SHAPE("guest_l1d", l1d_keys, S)};
static const cs_key_shape l1i_shape = {SHAPE("guest_l1i", l1i_keys, S)};
static const cs_key_shape dtlb_shape = {SHAPE("guest_dtlb", dtlb_keys, S)};
static const cs_key_shape itlb_shape = {SHAPE("guest_itlb", itlb_keys, S)};
static const cs_key caches_keys[] = {
    {MAP("l1d", &l1d_shape, "each hart's cache of data")},
    {MAP("l1i", &l1i_shape, "each hart's cache of instructions")},
    {MAP("dtlb", &dtlb_shape, "each hart's TLB of data")},
    {MAP("itlb", &itlb_shape, "each hart's TLB of instructions")},
};
static const cs_key_shape caches_shape = {SHAPE("guest_caches", caches_keys, S)};

static const cs_key guest_keys[] = {
    {CHOICE("kind", kinds, "none", "what is brought up by `countersink boot`"), AT(S, kind)},
    {PATH("run", CS_FILE_BYTES - 1, "=none", "a shell script, which the guest runs"), AT(S, run)},
    {PATH("kernel", CS_FILE_BYTES - 1, "=the one that was fetched",
          "of power9 an ELF file for powerpc64le, with its symbols; of riscv64 an Image"),
     AT(S, kernel)},
    {PATH("firmware", CS_FILE_BYTES - 1, "=the one that was fetched",
          "OpenSBI's fw_dynamic.bin, or another firmware that begins in M mode; beside `elf` only "
          "if it "
          "is given"),
     AT(S, firmware)},
    {PATH("initrd", CS_FILE_BYTES - 1, "=none",
          "a cpio archive that the kernel unpacks first; our files replace its own"),
     AT(S, initrd)},
    {PATH("elf", CS_FILE_BYTES - 1, "=none",
          "a program for bare harts instead of Linux: an ELF file that begins in M mode, or with "
          "`firmware` in S mode"),
     AT(S, elf)},
    {NAMES("files", "files beside the scenario that the guest finds in /root"),
     AT_LIST(S, files, nr_files)},
    {CHOICE("threads", threads, "1",
            "threads of each core that are CPUs of the guest; the rest of imc.threads stay idle"),
     AT(S, threads)},
    {NUMBER("memory_mib", "MiB", 1024, 4096, "1024", "the guest's memory"), AT(S, memory_mib)},
    {NUMBER("limit_s", "s of wall time", 1, 36000, "600",
            "wall time after which the guest is stopped"),
     AT(S, limit_s)},
    {CHOICE("counts", counts, "trace", "when the truth counts by function (guest_count)"),
     AT(S, counts)},
    {MAP("cycles", &cycles_shape, "cycles of an instruction, by its kind")},
    {MAP("caches", &caches_shape,
         "of riscv64: caches and TLBs that say which access misses (docs/hw/caches.md)")},
    {MAP(
        "pins", &pins_shape,
        "of riscv64: what is at the pins of the first hart's counters in some cycles goes into the "
        "file `pins`, for RTL to be driven with")},
    {MAP("program", &program_shape, "a program with known work, made for the guest")},
    {CHOICE("fault", faults, "none",
            "what is wrong with one record and one posting, or one overflow, to see whether it is "
            "found"),
     AT(S, fault)},
    {NUMBER("faulty", "", 0, UINT64_MAX, "100",
            "number of the record, posting or overflow that has the fault"),
     AT(S, faulty)},
};
static const cs_key_shape shape = {SHAPE("guest", guest_keys, S)};

/* A file beside the scenario. */
static cs_status check_file(cs_check *check, const char *file)
{
    char path[sizeof check->scenario->folder + CS_FILE_BYTES];
    struct stat what;
    const bool whole = file[0] == '/';
    FILE *opened;

    snprintf(path, sizeof path, "%s%s%s", whole ? "" : check->scenario->folder, whole ? "" : "/",
             file);
    opened = fopen(path, "rb");
    if (opened == NULL || fclose(opened) != 0)
        return cs_check_fail(check, "cannot open %s", file);
    if (stat(path, &what) == 0 && S_ISDIR(what.st_mode))
        return cs_check_fail(check, "%s is a folder, expected a file", file);
    return CS_OK;
}

static cs_status check_power(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "guest.kind");
    if (s->imc->cores == 0 || s->imc->chips != 1)
        return cs_check_fail(check,
                             "the guest has one chip, with 1 core or more: found imc.chips %u, "
                             "imc.cores %u",
                             s->imc->chips, s->imc->cores);
    for (size_t i = 0; i < s->guest->program.nr_functions; i++)
        if (s->guest->program.functions[i].stride > 0)
            return cs_check_fail(check, "guest.program.functions.%zu.stride is of riscv64", i);
    if (s->guest->fault > CS_GUEST_LOST)
        return cs_check_fail(check, "guest.fault late and count are of a guest that is riscv64");
    if (s->imc->power10)
        return cs_check_fail(check, "the guest is a POWER9: found imc.variant power10");
    if (s->imc->cores * s->guest->threads > MOST_CPUS)
        return cs_check_fail(check, "%u cores with %u threads each are more than %u CPUs",
                             s->imc->cores, s->guest->threads, MOST_CPUS);
    if (s->guest->threads > s->imc->threads)
        return cs_check_fail(check, "guest.threads %u is more than the %u of imc.threads",
                             s->guest->threads, s->imc->threads);
    if (s->bus->clock_mhz != CS_GUEST_CLOCK_MHZ)
        return cs_check_fail(check, "bus.clock_mhz is %u; a guest's cycles are those of %u MHz",
                             (unsigned)s->bus->clock_mhz, CS_GUEST_CLOCK_MHZ);
    if (s->imc->catalog == NULL)
        return cs_check_fail(check, "there is no `catalog`, without which its kernel knows no IMC");
    return CS_OK;
}

/* A program for bare harts is all that there is. */
static cs_status check_bare(cs_check *check)
{
    const cs_guest_spec *guest = check->scenario->guest;
    const struct {
        const char *key;
        bool given;
    } others[] = {{"guest.run", guest->run[0] != '\0'},
                  {"guest.kernel", guest->kernel[0] != '\0'},
                  {"guest.initrd", guest->initrd[0] != '\0'},
                  {"guest.files", guest->nr_files != 0},
                  {"guest.program", guest->program.nr_functions != 0}};

    cs_check_at(check, "guest.kind");
    if (guest->elf[0] == '\0' && guest->run[0] == '\0')
        return cs_check_fail(check, "riscv64 needs guest.run or guest.elf");
    for (size_t i = 0; i < sizeof others / sizeof others[0] && guest->elf[0] != '\0'; i++) {
        cs_check_at(check, "%s", others[i].key);
        if (others[i].given)
            return cs_check_fail(check, "there is no Linux beside guest.elf that could use it");
    }
    return CS_OK;
}

static cs_status check_caches(cs_check *check)
{
    static const char *const names[] = {"l1d", "l1i", "dtlb", "itlb"};
    const cs_guest_spec *guest = check->scenario->guest;

    for (size_t i = 0; i < CS_GUEST_CACHES; i++) {
        const cs_guest_cache *cache = &guest->caches[i];

        cs_check_at(check, "guest.caches.%s", names[i]);
        if ((cache->sets & (cache->sets - 1)) != 0 || (cache->line & (cache->line - 1)) != 0)
            return cs_check_fail(check, "sets and line are powers of two: found sets %u, line %u",
                                 cache->sets, cache->line);
        if (cache->sets != 0 && guest->pins.cycles != 0)
            return cs_check_fail(check, "guest.pins records no misses: use one of the two");
    }
    return CS_OK;
}

static cs_status check_riscv(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "guest.kind");
    if (s->harts->count == 0 || s->harts->count > MOST_CPUS)
        return cs_check_fail(check, "the guest has 1 to %u harts: found harts.count %u", MOST_CPUS,
                             s->harts->count);
    if (s->guest->fault == CS_GUEST_WRONG_ADDRESS)
        return cs_check_fail(check, "guest.fault address is of a guest that is power9");
    if (s->harts->xlen != 64 || !s->harts->sscofpmf)
        return cs_check_fail(check, "the guest's hart has xlen 64 and sscofpmf: found %u, %s",
                             s->harts->xlen, s->harts->sscofpmf ? "true" : "false");
    cs_status status = check_bare(check);
    if (status == CS_OK)
        status = check_caches(check);
    if (status != CS_OK)
        return status;
    cs_check_at(check, "guest.cycles");
    const cs_guest_cycles *cycles = &s->guest->cycles;
    if (cycles->load > CS_NARROW_INCREMENT || cycles->store > CS_NARROW_INCREMENT ||
        cycles->branch > CS_NARROW_INCREMENT || cycles->other > CS_NARROW_INCREMENT)
        return cs_check_fail(check, "an instruction of the guest's hart takes %u cycles at most",
                             CS_NARROW_INCREMENT);
    for (size_t i = 0; i < s->guest->program.nr_functions; i++) {
        const cs_guest_function *f = &s->guest->program.functions[i];

        const unsigned room = CS_GUEST_LOOP_BODY - 1 - (f->stride > 0);

        cs_check_at(check, "guest.program.functions.%zu", i);
        if (f->loads + f->stores > room)
            return cs_check_fail(check,
                                 "%u loads and %u stores are more than the %u instructions "
                                 "before a loop's %scount and branch",
                                 f->loads, f->stores, room, f->stride > 0 ? "stride, " : "");
        if ((uint64_t)f->loops * f->stride > CS_GUEST_STRIDE_BYTES)
            return cs_check_fail(check, "%u loops of %u bytes are more than %u bytes", f->loops,
                                 f->stride, CS_GUEST_STRIDE_BYTES);
    }
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    const struct {
        const char *key, *file;
    } named[] = {{"guest.run", s->guest->run},
                 {"guest.kernel", s->guest->kernel},
                 {"guest.initrd", s->guest->initrd},
                 {"guest.elf", s->guest->elf},
                 {"guest.firmware", s->guest->firmware}};

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        cs_check_at(check, "%s", named[i].key);
        const cs_status status =
            named[i].file[0] != '\0' ? check_file(check, named[i].file) : CS_OK;
        if (status != CS_OK)
            return status;
    }
    for (size_t i = 0; i < s->guest->nr_files; i++) {
        cs_check_at(check, "guest.files.%zu", i);
        const cs_status status = check_file(check, s->guest->files[i]);
        if (status != CS_OK)
            return status;
    }
    if (s->guest->kind == CS_GUEST_NONE)
        return CS_OK;
    for (size_t i = 0; i < s->guest->program.nr_functions; i++) {
        const cs_guest_function *f = &s->guest->program.functions[i];

        cs_check_at(check, "guest.program.functions.%zu", i);
        if (f->loads + f->stores > CS_GUEST_LOOP_BODY)
            return cs_check_fail(check,
                                 "%u loads and %u stores are more than the %u instructions "
                                 "before a loop's branch",
                                 f->loads, f->stores, CS_GUEST_LOOP_BODY);
    }
    return s->guest->kind == CS_GUEST_POWER9 ? check_power(check) : check_riscv(check);
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    if (s->guest->kind != CS_GUEST_NONE)
        snprintf(out, size, "guest        %s, which only `countersink boot` brings up",
                 s->guest->kind == CS_GUEST_POWER9 ? "power9" : "riscv64");
}

static cs_status refuse_simulation(const cs_scenario *s, cs_diag *diag)
{
    return s->guest->kind == CS_GUEST_NONE
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                             "has a guest (guest.kind), which only `countersink boot` brings up");
}

static const cs_key keys[] = {
    {MAP("guest", &shape,
         "a real Linux that `boot` runs on the simulated hardware (docs/uses/linux_power.md)")}};
const cs_section cs_section_guest = {SECTION("guest", keys, S), .check = check, .tell = tell,
                                     .unsimulated = refuse_simulation};
