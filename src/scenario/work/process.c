#include "scenario/work/process.h"

#include "scenario/work/workload_spec.h"

const char *cs_scenario_process(const cs_scenario *s, uint32_t pid)
{
    const char *workload = NULL;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++) {
            const cs_segment_spec *segment = &s->workloads[i].segments[k];

            if (segment->cid1 != pid)
                continue;
            if (segment->process[0] != '\0')
                return segment->process;
            if (workload == NULL)
                workload = s->workloads[i].name;
        }
    return workload != NULL && pid == 0 ? "swapper" : workload;
}
