// SPDX-License-Identifier: Apache-2.0
/* A driver of one's own on a simulated hart: what a call of the firmware costs, and what it makes a
 * count say. docs/uses/platform_author.md shows all of it. */
#include <inttypes.h>
#include <stdio.h>

#include <countersink/base/stream/stream.h>
#include <countersink/base/stream/timeline.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

#define HPMCOUNTER3 0xc03u

/* What the hart does: an instruction every second cycle, whoever runs. */
static cs_timeline *make_workload(cs_stream_pool *pool)
{
    static const cs_privilege modes[CS_HART_TRACKS] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS};
    static cs_segment_event event = {.event = CS_HPM_EVENT_INSTRET};
    static cs_segment segments[CS_HART_TRACKS];
    static cs_track tracks[CS_HART_TRACKS];
    const cs_timeline_desc desc = {.tracks = tracks, .nr_tracks = CS_HART_TRACKS};
    cs_timeline *timeline = NULL;

    cs_stream_rate(pool, (cs_rate){1, 2}, 0, &event.stream, NULL);
    for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
        segments[i] =
            (cs_segment){.length_cycles = 1000, .mode = modes[i], .events = &event, .nr_events = 1};
        tracks[i] = (cs_track){"track", &segments[i], 1};
    }
    cs_timeline_create(&desc, &timeline, NULL);
    return timeline;
}

/* An SBI call, as a driver makes it; says how long the kernel waited for it. */
static uint64_t call(const cs_sbi *sbi, cs_hart *hart, const char *name, uint64_t function,
                     const uint64_t arguments[6])
{
    const cs_cycle begun = cs_hart_now(hart);
    const cs_sbi_ret ret = sbi->call(sbi->ctx, hart, CS_SBI_EID_PMU, function, arguments);

    printf("%-6s error %" PRId64 ", %" PRIu64 " cycles\n", name, ret.error,
           cs_hart_now(hart) - begun);
    return ret.value;
}

int main(void)
{
    cs_sbi_pmu_config firmware_config = cs_sbi_pmu_defaults();
    cs_hart_alone_config config = cs_hart_alone_defaults();
    cs_stream_pool *pool = NULL;
    cs_hart_alone *alone = NULL;
    cs_sbi_pmu *firmware = NULL;
    cs_diag diag = {0};

    firmware_config.call_cycles = 100;
    cs_stream_pool_create(&pool, &diag);
    config.timeline = make_workload(pool);
    if (cs_hart_alone_create(&config, &alone, &diag) != CS_OK ||
        cs_sbi_pmu_create(&firmware_config, &firmware, &diag) != CS_OK) {
        fprintf(stderr, "%s: %s\n", diag.where, diag.text);
        return 1;
    }
    cs_hart *hart = cs_hart_alone_hart(alone);
    const cs_sbi sbi = cs_sbi_pmu_interface(firmware);
    cs_sbi_pmu_boot(firmware, hart);

    /* The driver: counter 3 counts instructions (event_idx 2) from 0 on, in all modes. */
    cs_hart_run(hart, CS_HART_KERNEL);
    const uint64_t configure[6] = {3, 1, 0, 2};
    const uint64_t counter =
        call(&sbi, hart, "match", CS_SBI_PMU_COUNTER_CONFIG_MATCHING, configure);
    const uint64_t start[6] = {counter, 1, CS_SBI_START_SET_INIT_VALUE, 0}, stop[6] = {counter, 1};
    call(&sbi, hart, "start", CS_SBI_PMU_COUNTER_START, start);

    /* The application runs for 10,000 cycles: 5,000 instructions. Then the kernel is back. */
    cs_hart_return(hart, CS_HART_WORKLOAD);
    cs_hart_wait(hart, cs_hart_now(hart) + 10000, 0);
    cs_hart_trap(hart, CS_HART_KERNEL);
    call(&sbi, hart, "stop", CS_SBI_PMU_COUNTER_STOP, stop);
    printf("counted %" PRIu64 " instructions; the application had 5000\n",
           cs_hart_csr_read(hart, HPMCOUNTER3));

    cs_sbi_pmu_destroy(firmware);
    cs_hart_alone_destroy(alone);
    cs_timeline_destroy(config.timeline);
    cs_stream_pool_destroy(pool);
    return 0;
}
