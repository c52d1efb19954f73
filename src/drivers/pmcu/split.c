// SPDX-License-Identifier: Apache-2.0
#include "drivers/pmcu/split.h"

#include "formats/pmcu/abi/aux_header.h"

cs_pmcu_layout cs_pmcu_layout_of(unsigned nr_user_events, bool comp, unsigned nr_cpus)
{
    const unsigned most = comp ? CS_PMCU_DRIVER_MAX_PMU_COMP : CS_PMCU_DRIVER_MAX_PMU;
    cs_pmcu_layout layout = {.nr_pmu = nr_user_events < most ? nr_user_events : most};

    if (layout.nr_pmu == 0)
        return layout;
    layout.subsamples_per_sample = (nr_user_events + layout.nr_pmu - 1) / layout.nr_pmu;
    layout.nr_event = layout.subsamples_per_sample * layout.nr_pmu;
    layout.max_sample_loop = CS_PMCU_DRIVER_MAX_EVENTS / layout.nr_event;
    layout.subsample_bytes = cs_pmcu_aux_subsample_bytes(layout.nr_pmu, nr_cpus, comp);
    layout.sample_bytes = (uint64_t)layout.subsample_bytes * layout.subsamples_per_sample;
    return layout;
}

cs_pmcu_request cs_pmcu_split(const cs_pmcu_layout *layout, uint64_t room, uint64_t pending)
{
    cs_pmcu_request request = {0};
    uint64_t samples = layout->sample_bytes != 0 ? room / layout->sample_bytes : 0;

    if (samples > pending)
        samples = pending;
    if (samples == 0)
        return request;
    if (samples <= CS_PMCU_DRIVER_MAX_LOOPS) {
        request.ev_len = layout->nr_event;
        request.nr_loop = (unsigned)samples;
    } else {
        uint64_t copies = samples / CS_PMCU_DRIVER_MAX_LOOPS;

        if (copies > layout->max_sample_loop)
            copies = layout->max_sample_loop;
        request.ev_len = layout->nr_event * (unsigned)copies;
        request.nr_loop = CS_PMCU_DRIVER_MAX_LOOPS;
        samples = copies * CS_PMCU_DRIVER_MAX_LOOPS;
    }
    request.samples = samples;
    request.bytes = samples * layout->sample_bytes;
    return request;
}
