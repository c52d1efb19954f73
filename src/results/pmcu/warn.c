// SPDX-License-Identifier: Apache-2.0
/* What a run of PMCUs warns of. */
#include <inttypes.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "results/pmcu/part.h"
#include "scenario/check.h"
#include <countersink/regs/pmcu_regs.h>

#define MUCH_LONGER 0.02 /* of windows, as a share of the period */

/* The names of the error bits of FSM_STATUS that are set, separated by blanks. */
static void name_errors(uint32_t errors, char *out, size_t size)
{
    static const struct {
        uint32_t mask;
        const char *name;
    } bits[] = {
        {CS_PMCU_FSM_STATUS_CFG_ERR_MASK, "CFG_ERR"},
        {CS_PMCU_FSM_STATUS_FETCH_ERR_MASK, "FETCH_ERR"},
        {CS_PMCU_FSM_STATUS_CORE_ERR_MASK, "CORE_ERR"},
        {CS_PMCU_FSM_STATUS_STORE_ERR_MASK, "STORE_ERR"},
        {CS_PMCU_FSM_STATUS_KILL_MASK, "KILL"},
        {CS_PMCU_FSM_STATUS_TRIG_LOST_MASK, "TRIG_LOST"},
    };
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (errors & bits[i].mask)
            used += (size_t)snprintf(out + used, size - used, " %s", bits[i].name);
}

/* Slots without a core that answers are walked all the same. */
static uint32_t expected_errors(const cs_pmcu_results *results)
{
    return results->absent_slots + results->failed_slots != 0 && results->failed_online == 0
               ? CS_PMCU_FSM_STATUS_CORE_ERR_MASK
               : 0;
}

/* What is armed but gives nothing deserves a word. */
static void warn_of(const cs_pmcu_part *p, const cs_pmcu_die *die, const cs_pmcu_driver *driver)
{
    const cs_pmcu_driver_report *report = driver != NULL ? cs_pmcu_driver_get_report(driver) : NULL;
    const cs_pmcu_results *results = die->results;
    const char *name = die->name, *colon = name[0] != '\0' ? ": " : "";
    size_t silent = 0, possible = 0;

    if (results->samples == 0)
        cs_part_warn(p->run, "%s%sno sample was committed", name, colon);
    else if (results->armed_cpus == 0)
        cs_part_warn(p->run, "%s%ssamples were committed, but no counter was ever enabled", name,
                     colon);
    /* Of those without a stream the scenario of a driver has warned. */
    for (size_t i = 0; i < results->nr_events; i++)
        if (report == NULL ||
            cs_check_somewhere_counts(p->run->scenario, results->events[i].event)) {
            possible++;
            silent += results->events[i].truth == 0;
        }
    if (silent != 0)
        cs_part_warn(
            p->run,
            "%s%s%zu of %zu events that some core has never occurred from the first window "
            "to the last, in modes in which they are counted",
            name, colon, silent, possible);
    if (results->failed_online != 0)
        cs_part_warn(p->run,
                     "%s%saccesses to cores that are online failed: in subsamples %" PRIu64
                     " of their slots are zero (table `failed`)",
                     name, colon, results->failed_online);
    if (results->lost_slots != 0)
        cs_part_warn(p->run,
                     "%s%s%" PRIu64 " slots did not fail, but their cores had lost what the PMCU "
                     "wrote to them (corepmu.outages): nothing in the sample says so",
                     name, colon, results->lost_slots);
    if (results->wrong_values != 0)
        cs_part_warn(p->run,
                     "%s%s%" PRIu64 " of %" PRIu64 " values are not what the cores did in their "
                     "windows: other software wrote to the counters, they were lost, or did not "
                     "count",
                     name, colon, results->wrong_values, results->values);
    if (cs_pmcu_window_excess(results) > MUCH_LONGER)
        cs_part_warn(
            p->run,
            "%s%swindows are %.0f %% longer than the period, by the walk that starts and stops "
            "the cores: numbers that are scaled by the period come out too large by as much",
            name, colon, 100.0 * cs_pmcu_window_excess(results));
    if (report != NULL && die->aux_bytes < results->sample_bytes)
        cs_part_warn(p->run,
                     "%s%sperf got %" PRIu64 " bytes, header included, but %" PRIu64
                     " of samples were "
                     "stored: those of a trigger that did not come to its end are not handed over",
                     name, colon, die->aux_bytes, results->sample_bytes);
    const uint64_t stored =
        report != NULL && report->samples != 0
            ? results->samples / cs_pmcu_driver_get_layout(driver)->subsamples_per_sample
            : 0;
    if (report != NULL && report->samples > stored)
        cs_part_warn(p->run,
                     "%s%sthe driver took %" PRIu64 " samples for good, but %" PRIu64
                     " were stored: it does not read FSM_STATUS (quirk status_unread)",
                     name, colon, report->samples, stored);
    const uint32_t errors = report != NULL ? report->errors & ~expected_errors(results) : 0;
    if (errors != 0) {
        char names[80];

        name_errors(errors, names, sizeof names);
        cs_part_warn(p->run, "%s%sthe hardware reported in FSM_STATUS:%s", name, colon, names);
    }
}

/* Of several dies those that are driven. */
void cs_pmcu_warn(const cs_pmcu_part *p)
{
    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_driver *driver = cs_pmcu_driver_of(p->run->environment, i);

        if (p->nr_dies == 1 || driver != NULL || p->dies[i].results->triggers != 0)
            warn_of(p, &p->dies[i], driver);
    }
}
