// SPDX-License-Identifier: Apache-2.0
#include "drivers/pmcu/pmcu_driver.h"

#include <inttypes.h>
#include <stdlib.h>

#include "drivers/pmcu/driver_impl.h"

static cs_status pmcu_refuse(cs_diag *diag, const char *what, uint64_t found, const char *allowed)
{
    return cs_diag_set(diag, CS_ERR_RANGE, "pmcu driver", "%s is 0x%" PRIx64 ", expected %s", what,
                       found, allowed);
}

static cs_status pmcu_check(const cs_pmcu_driver_config *config, cs_diag *diag)
{
    if (config->nr_cpus == 0 || config->nr_cpus > CS_PMCU_AUX_MAX_CPUS)
        return pmcu_refuse(diag, "nr_cpus", config->nr_cpus, "1 to 1024");
    if (config->aux_base % 16 != 0)
        return pmcu_refuse(diag, "aux_base", config->aux_base, "a multiple of 16");
    if (config->aux_buffer_bytes == 0 || config->aux_buffer_bytes > UINT32_MAX ||
        config->aux_buffer_bytes % 16 != 0)
        return pmcu_refuse(diag, "aux_buffer_bytes", config->aux_buffer_bytes,
                           "a multiple of 16 below 2^32");
    if (config->aux_buffers == 0)
        return pmcu_refuse(diag, "aux_buffers", 0, "at least 1");
    if (config->data_base % 4 != 0)
        return pmcu_refuse(diag, "data_base", config->data_base, "a multiple of 4");
    if (config->owner.claim != NULL && config->claim_cycles == 0)
        return pmcu_refuse(diag, "claim_cycles", 0, "at least 1");
    if (config->poll_cycles == 0)
        return pmcu_refuse(diag, "poll_cycles", 0, "at least 1");
    for (size_t i = 0; i < config->nr_user_events && i < CS_PMCU_DRIVER_MAX_EVENTS; i++)
        if (config->user_events[i] > UINT16_MAX)
            return pmcu_refuse(diag, "an event", config->user_events[i], "16 bits");
    return CS_OK;
}

static uint32_t event_of(const cs_pmcu_driver *driver, unsigned index)
{
    return index < driver->report.nr_events ? driver->config.user_events[index]
                                            : CS_PMCU_AUX_NULL_EVENT;
}

static void make_array(cs_pmcu_driver *driver)
{
    const cs_pmcu_layout *layout = &driver->layout;
    uint8_t *word = driver->array;

    for (unsigned copy = 0; copy < layout->max_sample_loop; copy++)
        for (unsigned i = 0; i < layout->nr_event; i++, word += 4) {
            uint32_t event = event_of(driver, i);

            word[0] = (uint8_t)event;
            word[1] = (uint8_t)(event >> 8);
        }
    driver->array_bytes = (size_t)(word - driver->array);
}

static void make_header(cs_pmcu_driver *driver)
{
    const cs_pmcu_layout *layout = &driver->layout;
    cs_pmcu_aux_header header = {
        .buffer_size = (uint32_t)driver->config.aux_buffer_bytes,
        .nr_pmu = layout->nr_pmu,
        .nr_cpu = driver->config.nr_cpus,
        .comp_mode = driver->report.comp,
        .subsample_size = layout->subsample_bytes,
        .subsamples_per_sample = layout->subsamples_per_sample,
        .nr_event = layout->nr_event,
    };

    for (unsigned i = 0; i < layout->nr_event; i++)
        header.events[i] = event_of(driver, i);
    driver->header_bytes = cs_pmcu_aux_header_encode(&header, driver->header);
}

cs_status cs_pmcu_driver_create(const cs_pmcu_driver_config *config, const cs_soft_sink *soft,
                                cs_pmcu_driver **out, cs_diag *diag)
{
    cs_pmcu_driver *driver;
    cs_status status = pmcu_check(config, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    driver = calloc(1, sizeof *driver);
    if (driver == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "pmcu driver", "no memory for the driver");
    driver->config = *config;
    driver->soft = soft;

    cs_pmcu_driver_report *report = &driver->report;
    report->nr_events = config->nr_user_events < CS_PMCU_DRIVER_MAX_EVENTS
                            ? (unsigned)config->nr_user_events
                            : CS_PMCU_DRIVER_MAX_EVENTS;
    report->ignored_events = config->nr_user_events - report->nr_events;
    report->comp = config->comp && config->hpmn <= CS_PMCU_DRIVER_COMP_HPMN;
    report->comp_refused = config->comp && !report->comp;

    driver->layout = cs_pmcu_layout_of(report->nr_events, report->comp, config->nr_cpus);
    make_array(driver);
    make_header(driver);
    driver->config.user_events = NULL; /* both hold copies */
    driver->aux = (cs_aux_area){.base = config->aux_base,
                                .buffer_bytes = config->aux_buffer_bytes,
                                .nr_buffers = config->aux_buffers,
                                .reader_cycles = config->reader_cycles};
    driver->pending = config->nr_sample;
    driver->handler_at = CS_NEVER;
    driver->cpu = config->cpu;
    if (config->reader_cycles != 0) {
        driver->aux.free_at = calloc(config->aux_buffers, sizeof *driver->aux.free_at);
        if (driver->aux.free_at == NULL)
            status = cs_diag_set(diag, CS_ERR_NO_MEMORY, "pmcu driver", "no memory for the driver");
    }
    if (status == CS_OK)
        status = cs_routine_create(&driver->routine, cs_pmcu_run, driver, diag);
    if (status != CS_OK) {
        cs_pmcu_driver_destroy(driver);
        return status;
    }
    *out = driver;
    return CS_OK;
}

void cs_pmcu_driver_destroy(cs_pmcu_driver *driver)
{
    if (driver == NULL)
        return;
    cs_routine_destroy(&driver->routine);
    free(driver->aux.free_at);
    free(driver);
}

cs_software cs_pmcu_driver_software(cs_pmcu_driver *driver)
{
    return cs_routine_software(&driver->routine);
}

const cs_pmcu_driver_report *cs_pmcu_driver_get_report(const cs_pmcu_driver *driver)
{
    return &driver->report;
}

unsigned cs_pmcu_driver_cpu(const cs_pmcu_driver *driver)
{
    return driver->config.cpu;
}

const cs_pmcu_layout *cs_pmcu_driver_get_layout(const cs_pmcu_driver *driver)
{
    return &driver->layout;
}

const char *cs_pmcu_end_text(cs_pmcu_end end)
{
    static const char *const texts[] = {
        [CS_PMCU_END_NOT_YET] = "the driver has not ended",
        [CS_PMCU_END_COMPLETE] = "all samples were taken",
        [CS_PMCU_END_STOPPED] = "stopped by the user",
        [CS_PMCU_END_STOP_TIMEOUT] = "stopped by the user, the PMCU did not answer in time",
        [CS_PMCU_END_CFG_ERR] = "the PMCU refused its configuration (CFG_ERR)",
        [CS_PMCU_END_FETCH_ERR] = "bus error while the PMCU read events (FETCH_ERR)",
        [CS_PMCU_END_STORE_ERR] = "bus error while the PMCU wrote samples (STORE_ERR)",
        [CS_PMCU_END_KILL] = "the PMCU reached the end of the AUX buffer (KILL)",
        [CS_PMCU_END_NO_ROOM] = "an AUX buffer is too small for one sample",
        [CS_PMCU_END_BUS_ERROR] = "bus error on an access of the driver",
        [CS_PMCU_END_BUSY] = "the core PMUs are perf's: EBUSY",
    };

    return (unsigned)end < sizeof texts / sizeof texts[0] ? texts[end] : "?";
}
