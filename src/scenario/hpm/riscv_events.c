// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_events.h"

#include <string.h>

#include "scenario/yaml/number.h"
#include <countersink/formats/riscv/read/pmu_map.h>

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

/* By id, operation and result (0: all, 1: misses) of perf's type cache. */
#define CACHE(NAME)                                                                                \
    {                                                                                              \
        {NAME "-loads", NAME "-load-misses"}, {NAME "-stores", NAME "-store-misses"},              \
        {                                                                                          \
            NAME "-prefetches", NAME "-prefetch-misses"                                            \
        }                                                                                          \
    }
static const char *const caches[][3][2] = {CACHE("L1-dcache"), CACHE("L1-icache"), CACHE("LLC"),
                                           CACHE("dTLB"),      CACHE("iTLB"),      CACHE("branch"),
                                           CACHE("node")};

/* Codes in the ratified extension and in the proposal; NONE: not there. */
#define NONE 0xff
static const struct {
    const char *name;
    uint8_t code[2];
} firmware[] = {
    {"fw_misaligned_load", {0, 0}},
    {"fw_misaligned_store", {1, 1}},
    {"fw_access_load", {2, NONE}},
    {"fw_access_store", {3, NONE}},
    {"fw_illegal_insn", {4, 2}},
    {"fw_set_timer", {5, NONE}},
    {"fw_ipi_sent", {6, NONE}},
    {"fw_ipi_received", {7, NONE}},
    {"fw_fence_i_sent", {8, NONE}},
    {"fw_fence_i_received", {9, NONE}},
    {"fw_sfence_vma_sent", {10, NONE}},
    {"fw_sfence_vma_received", {11, NONE}},
    {"fw_sfence_vma_asid_sent", {12, NONE}},
    {"fw_sfence_vma_asid_received", {13, NONE}},
    {"fw_hfence_gvma_sent", {14, NONE}},
    {"fw_hfence_gvma_received", {15, NONE}},
    {"fw_hfence_gvma_vmid_sent", {16, NONE}},
    {"fw_hfence_gvma_vmid_received", {17, NONE}},
    {"fw_hfence_vvma_sent", {18, NONE}},
    {"fw_hfence_vvma_received", {19, NONE}},
    {"fw_hfence_vvma_asid_sent", {20, NONE}},
    {"fw_hfence_vvma_asid_received", {21, NONE}},
    {"fw_local_set_timer", {NONE, 3}},
    {"fw_local_ipi", {NONE, 4}},
    {"fw_local_fence_i", {NONE, 5}},
    {"fw_local_sfence_vma", {NONE, 6}},
    {"fw_local_sfence_vma_asid", {NONE, 7}},
    {"fw_local_hfence_gvma", {NONE, 8}},
    {"fw_local_hfence_gvma_vmid", {NONE, 9}},
    {"fw_local_hfence_vvma", {NONE, 10}},
    {"fw_local_hfence_vvma_asid", {NONE, 11}},
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
                *out = (cs_riscv_perf_config){.type = PERF_HARDWARE, .config = i};
                return true;
            }
    return false;
}

static bool cache_event(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    for (unsigned cache = 0; cache < NR_OF(caches); cache++)
        for (unsigned op = 0; op < NR_OF(caches[cache]); op++)
            for (unsigned misses = 0; misses < 2; misses++)
                if (is_it(name, caches[cache][op][misses], suggest)) {
                    *out = (cs_riscv_perf_config){.type = PERF_CACHE,
                                                  .config = cache | op << 8 | misses << 16};
                    return true;
                }
    return false;
}

/* "r" and hexadecimal digits, as perf takes them; or a name of the hart's own. */
static bool raw_event(const char *name, cs_riscv_perf_config *out, cs_suggest *suggest)
{
    uint32_t number;

    out->type = PERF_RAW;
    if (name[0] == 'r' &&
        cs_number_read_hex(name + 1, strlen(name + 1), &out->config) == CS_NUMBER_OK)
        return true;
    if (cs_riscv_event_number(name, &number)) {
        out->config = number;
        return true;
    }
    for (size_t i = 0; suggest != NULL && cs_riscv_event_at(i) != NULL; i++)
        cs_suggest_offer(suggest, cs_riscv_event_at(i)->name);
    return false;
}

uint32_t cs_riscv_perf_config_idx(const cs_riscv_perf_config *c)
{
    if (c->type == PERF_HARDWARE)
        return (uint32_t)c->config + 1;
    if (c->type != PERF_CACHE)
        return 0;
    return 0x10000 |
           (uint32_t)((c->config & 0xff) << 3 | (c->config >> 8 & 0xff) << 1 | c->config >> 16);
}

bool cs_riscv_perf_config_is_firmware(const cs_riscv_perf_config *c)
{
    return c->type == PERF_RAW && c->config >> 62 >= 2;
}

bool cs_riscv_perf_event_number(const char *name, bool proposal, cs_riscv_perf_config *out,
                                cs_suggest *suggest)
{
    unsigned code;

    if (hardware_event(name, out, suggest) || cache_event(name, out, suggest) ||
        raw_event(name, out, suggest))
        return true;
    if (!cs_riscv_firmware_event_number(name, proposal, &code, suggest))
        return false;
    *out = (cs_riscv_perf_config){.type = PERF_RAW, .config = RAW_FIRMWARE | code};
    return true;
}

const char *cs_riscv_perf_event_at(bool proposal, size_t nr)
{
    const size_t of_hardware = NR_OF(hardware) * NR_OF(hardware[0]);
    const char *const *names = &hardware[0][0];

    for (size_t i = 0; i < of_hardware; i++)
        if (names[i] != NULL && nr-- == 0)
            return names[i];
    if (nr < sizeof caches / sizeof(const char *))
        return (&caches[0][0][0])[nr];
    nr -= sizeof caches / sizeof(const char *);
    for (size_t i = 0; cs_riscv_event_at(i) != NULL; i++)
        if (nr-- == 0)
            return cs_riscv_event_at(i)->name;
    for (size_t i = 0; i < NR_OF(firmware); i++)
        if (firmware[i].code[proposal] != NONE && nr-- == 0)
            return firmware[i].name;
    return NULL;
}

/* ---- firmware events ---- */

bool cs_riscv_firmware_event_number(const char *name, bool proposal, unsigned *code,
                                    cs_suggest *suggest)
{
    uint64_t value;

    for (unsigned i = 0; i < NR_OF(firmware); i++)
        if (firmware[i].code[proposal] != NONE && is_it(name, firmware[i].name, suggest)) {
            *code = firmware[i].code[proposal];
            return true;
        }
    if (strncmp(name, "fw:", 3) != 0 ||
        cs_number_read(name + 3, strlen(name + 3), &value) != CS_NUMBER_OK || value >= 0xffff)
        return false;
    *code = (unsigned)value;
    return true;
}
