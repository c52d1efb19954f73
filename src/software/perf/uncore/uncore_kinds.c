// SPDX-License-Identifier: Apache-2.0
/* Which events a unit has for perf. Names and numbers are those of Linux's drivers (docs/sources.md,
 * "HiSilicon's uncore units"). */
#include <ctype.h>

#include "software/perf/uncore/uncore_pmu.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ZERO 0x100u /* what config 0 is of a unit whose events have its own numbers else */

static const cs_perf_file ddrc_formats[] = {{"event", "config:0-4"}};
static const cs_perf_file ddrc_events[] = {
    {"flux_wr", "config=0x0"},   {"flux_rd", "config=0x1"}, {"flux_wcmd", "config=0x2"},
    {"flux_rcmd", "config=0x3"}, {"pre_cmd", "config=0x4"}, {"act_cmd", "config=0x5"},
    {"rnk_chg", "config=0x6"},   {"rw_chg", "config=0x7"},
};

static const cs_perf_file wide_formats[] = {{"event", "config:0-7"}};
static const cs_perf_file l3c_events[] = {
    {"rd_cpipe", "config=0x0"},       {"wr_cpipe", "config=0x1"},
    {"rd_hit_cpipe", "config=0x2"},   {"wr_hit_cpipe", "config=0x3"},
    {"victim_num", "config=0x4"},     {"rd_spipe", "config=0x20"},
    {"wr_spipe", "config=0x21"},      {"rd_hit_spipe", "config=0x22"},
    {"wr_hit_spipe", "config=0x23"},  {"back_invalid", "config=0x29"},
    {"retry_cpu", "config=0x40"},     {"retry_ring", "config=0x41"},
    {"prefetch_drop", "config=0x42"},
};

static const cs_perf_file hha_events[] = {
    {"rx_ops_num", "config=0x0"},
    {"rx_outer", "config=0x1"},
    {"rx_sccl", "config=0x2"},
    {"rx_ccix", "config=0x3"},
    {"rx_wbi", "config=0x4"},
    {"rx_wbip", "config=0x5"},
    {"rx_wtistash", "config=0x11"},
    {"rd_ddr_64b", "config=0x1c"},
    {"wr_ddr_64b", "config=0x1d"},
    {"rd_ddr_128b", "config=0x1e"},
    {"wr_ddr_128b", "config=0x1f"},
    {"spill_num", "config=0x20"},
    {"spill_success", "config=0x21"},
    {"bi_num", "config=0x23"},
    {"mediated_num", "config=0x32"},
    {"tx_snp_num", "config=0x33"},
    {"tx_snp_outer", "config=0x34"},
    {"tx_snp_ccix", "config=0x35"},
    {"rx_snprspdata", "config=0x38"},
    {"rx_snprsp_outer", "config=0x3c"},
    {"sdir-lookup", "config=0x40"},
    {"edir-lookup", "config=0x41"},
    {"sdir-hit", "config=0x42"},
    {"edir-hit", "config=0x43"},
    {"sdir-home-migrate", "config=0x4c"},
    {"edir-home-migrate", "config=0x4d"},
};

static const cs_perf_file plain_formats[] = {{"event", "config:0-15"}};

/* The last one fits every name. */
static const cs_perf_uncore_kind kinds[] = {
    {.pattern = "hisi_sccl#_ddrc#",
     .formats = ddrc_formats,
     .nr_formats = COUNT(ddrc_formats),
     .events = ddrc_events,
     .nr_events = COUNT(ddrc_events),
     .unit = {.fixed = true, .most = 7, .shift = 1}},
    {.pattern = "hisi_sccl#_l3c#",
     .formats = wide_formats,
     .nr_formats = COUNT(wide_formats),
     .events = l3c_events,
     .nr_events = COUNT(l3c_events),
     .unit = {.most = 0x59, .zero = ZERO}},
    {.pattern = "hisi_sccl#_hha#",
     .formats = wide_formats,
     .nr_formats = COUNT(wide_formats),
     .events = hha_events,
     .nr_events = COUNT(hha_events),
     .unit = {.most = 0x65, .zero = ZERO}},
    {.formats = plain_formats, .nr_formats = COUNT(plain_formats), .unit = {.most = UINT16_MAX}},
};

static bool kind_fits(const char *pattern, const char *name)
{
    for (; *pattern != '\0'; pattern++) {
        if (*pattern != '#') {
            if (*name++ != *pattern)
                return false;
            continue;
        }
        if (!isdigit((unsigned char)*name))
            return false;
        while (isdigit((unsigned char)*name))
            name++;
    }
    return *name == '\0';
}

const cs_perf_uncore_kind *cs_perf_uncore_kind_of(const char *name)
{
    const cs_perf_uncore_kind *kind = kinds;

    while (kind->pattern != NULL && !kind_fits(kind->pattern, name))
        kind++;
    return kind;
}
