#include "scenario/riscv_events.h"

#include <stdio.h>
#include <string.h>

#include "formats/riscv_pmu_map.h"
#include "scenario/number.h"

#define NR_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

#define PERF_HARDWARE 0u
#define PERF_CACHE 3u
#define PERF_RAW 4u
#define RAW_FIRMWARE ((uint64_t)2 << 62)

static bool encoding(const char *name, uint64_t *value)
{
    return strncmp(name, "hpm:", 4) == 0 &&
           cs_number_read(name + 4, strlen(name + 4), value) == CS_NUMBER_OK && *value != 0 &&
           *value <= UINT16_MAX;
}

bool cs_riscv_event_number(const char *name, uint32_t *number)
{
    const cs_riscv_event *event = cs_riscv_event_named(name);
    uint64_t value;

    if (event == NULL && !encoding(name, &value))
        return false;
    *number = event != NULL ? event->encoding : (uint32_t)value;
    return true;
}

/* ---- perf's names ---- */

/* By config of perf's type hardware. */
static const char *const hardware[][2] = {
    {"cycles", "cpu-cycles"},
    {"instructions"},
    {"cache-references"},
    {"cache-misses"},
    {"branches", "branch-instructions"},
    {"branch-misses"},
    {"bus-cycles"},
    {"stalled-cycles-frontend"},
    {"stalled-cycles-backend"},
    {"ref-cycles"},
};

static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                     "iTLB",      "branch",    "node"};
static const struct {
    const char *operation, *plural;
} cache_ops[] = {{"load", "loads"}, {"store", "stores"}, {"prefetch", "prefetches"}};

/* By code of the SBI's firmware events. */
static const char *const firmware[] = {
    "fw_misaligned_load",
    "fw_misaligned_store",
    "fw_access_load",
    "fw_access_store",
    "fw_illegal_insn",
    "fw_set_timer",
    "fw_ipi_sent",
    "fw_ipi_received",
    "fw_fence_i_sent",
    "fw_fence_i_received",
    "fw_sfence_vma_sent",
    "fw_sfence_vma_received",
    "fw_sfence_vma_asid_sent",
    "fw_sfence_vma_asid_received",
    "fw_hfence_gvma_sent",
    "fw_hfence_gvma_received",
    "fw_hfence_gvma_vmid_sent",
    "fw_hfence_gvma_vmid_received",
    "fw_hfence_vvma_sent",
    "fw_hfence_vvma_received",
    "fw_hfence_vvma_asid_sent",
    "fw_hfence_vvma_asid_received",
};

/* Is this it? If not, it is offered. */
static bool is_it(const char *name, const char *known, cs_suggest *suggest)
{
    if (known == NULL)
        return false;
    if (strcmp(name, known) == 0)
        return true;
    if (suggest != NULL)
        cs_suggest_offer(suggest, known);
    return false;
}

static bool hardware_event(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    for (size_t i = 0; i < NR_OF(hardware); i++)
        for (size_t k = 0; k < NR_OF(hardware[i]); k++)
            if (is_it(name, hardware[i][k], suggest)) {
                *out = (cs_riscv_perf_config){PERF_HARDWARE, i};
                return true;
            }
    return false;
}

/* "LLC-loads", "LLC-load-misses" */
static bool cache_event(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    char known[48];

    for (unsigned cache = 0; cache < NR_OF(caches); cache++)
        for (unsigned op = 0; op < NR_OF(cache_ops); op++)
            for (unsigned misses = 0; misses < 2; misses++) {
                snprintf(known, sizeof known, "%s-%s%s", caches[cache],
                         misses ? cache_ops[op].operation : cache_ops[op].plural,
                         misses ? "-misses" : "");
                if (!is_it(name, known, suggest))
                    continue;
                *out = (cs_riscv_perf_config){PERF_CACHE, cache | op << 8 | misses << 16};
                return true;
            }
    return false;
}

/* "r" and hexadecimal digits, as perf takes them; or a name of the hart's own. */
static bool raw_event(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    uint32_t number;

    out->type = PERF_RAW;
    if (name[0] == 'r' && cs_number_read_hex(name + 1, strlen(name + 1), &out->config) ==
                              CS_NUMBER_OK)
        return true;
    if (cs_riscv_event_number(name, &number)) {
        out->config = number;
        return true;
    }
    for (size_t i = 0; suggest != NULL && cs_riscv_event_at(i) != NULL; i++)
        cs_suggest_offer(suggest, cs_riscv_event_at(i)->name);
    return false;
}

bool cs_riscv_perf_event_number(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    unsigned code;

    if (hardware_event(name, out, suggest) || cache_event(name, out, suggest) ||
        raw_event(name, out, suggest))
        return true;
    if (!cs_riscv_firmware_event_number(name, &code, suggest))
        return false;
    *out = (cs_riscv_perf_config){PERF_RAW, RAW_FIRMWARE | code};
    return true;
}

/* ---- firmware events ---- */

bool cs_riscv_firmware_event_number(const char *name, unsigned *code, cs_suggest *suggest)
{
    uint64_t value;

    for (unsigned i = 0; i < NR_OF(firmware); i++)
        if (is_it(name, firmware[i], suggest)) {
            *code = i;
            return true;
        }
    if (strncmp(name, "fw:", 3) != 0 ||
        cs_number_read(name + 3, strlen(name + 3), &value) != CS_NUMBER_OK || value >= 0xffff)
        return false;
    *code = (unsigned)value;
    return true;
}

const char *cs_riscv_firmware_event_name(unsigned code)
{
    return code < NR_OF(firmware) ? firmware[code] : NULL;
}
