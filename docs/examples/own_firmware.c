// SPDX-License-Identifier: Apache-2.0
/* Firmware of one's own behind a hart: docs/yours/embedding_hart.md, "Your own firmware". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <countersink/base/stream/stream.h>
#include <countersink/base/stream/timeline.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/sbi/sbi.h>

#define MCOUNTEREN 0x306u
#define MCOUNTINHIBIT 0x320u
#define MHPMEVENT3 0x323u
#define MHPMCOUNTER3 0xb03u
#define HPMCOUNTER3 0xc03u

/* One counter, 3: START sets it up for an event and a value, STOP ends it. */
static cs_sbi_ret answer(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                         const uint64_t args[6])
{
    const cs_hart_track caller = cs_hart_trap(hart, CS_HART_FIRMWARE);
    cs_sbi_ret ret = {CS_SBI_SUCCESS, 0};

    (void)ctx;
    if (eid == CS_SBI_EID_PMU && fid == CS_SBI_PMU_COUNTER_START) {
        cs_hart_csr_write(hart, MHPMEVENT3, args[0]);
        cs_hart_csr_write(hart, MHPMCOUNTER3, args[3]);
        cs_hart_csr_clear(hart, MCOUNTINHIBIT, 1u << 3);
    } else if (eid == CS_SBI_EID_PMU && fid == CS_SBI_PMU_COUNTER_STOP)
        cs_hart_csr_set(hart, MCOUNTINHIBIT, 1u << 3);
    else
        ret.error = CS_SBI_ERR_NOT_SUPPORTED;
    cs_hart_return(hart, caller);
    return ret;
}

static void must(cs_status status, const cs_diag *diag)
{
    if (status == CS_OK)
        return;
    fprintf(stderr, "%s: %s\n", diag->where, diag->text);
    exit(1);
}

/* An instruction every second cycle, whoever runs. */
static cs_timeline *make_workload(cs_stream_pool **pool)
{
    static const cs_privilege modes[CS_HART_TRACKS] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS};
    static cs_segment_event event;
    static cs_segment segments[CS_HART_TRACKS];
    static cs_track tracks[CS_HART_TRACKS];
    const cs_stream *instructions;
    cs_timeline *timeline;
    cs_diag diag;

    must(cs_stream_pool_create(pool, &diag), &diag);
    must(cs_stream_rate(*pool, (cs_rate){1, 2}, 0, &instructions, &diag), &diag);
    event = (cs_segment_event){CS_HPM_EVENT_INSTRET, instructions};
    for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
        segments[i] =
            (cs_segment){.length_cycles = 1000, .mode = modes[i], .events = &event, .nr_events = 1};
        tracks[i] = (cs_track){"track", &segments[i], 1};
    }
    const cs_timeline_desc desc = {.tracks = tracks, .nr_tracks = CS_HART_TRACKS};
    must(cs_timeline_create(&desc, &timeline, &diag), &diag);
    return timeline;
}

int main(void)
{
    cs_hart_alone_config config = cs_hart_alone_defaults();
    const cs_sbi sbi = {answer, NULL};
    cs_stream_pool *pool;
    cs_hart_alone *alone;
    cs_diag diag;

    config.timeline = make_workload(&pool);
    must(cs_hart_alone_create(&config, &alone, &diag), &diag);
    cs_hart *hart = cs_hart_alone_hart(alone);

    /* The firmware boots: S mode may read counter 3, which stands still. */
    cs_hart_run(hart, CS_HART_FIRMWARE);
    cs_hart_csr_write(hart, MCOUNTINHIBIT, ~UINT64_C(0));
    cs_hart_csr_write(hart, MCOUNTEREN, 1u << 3);

    /* A driver: it counts while the workload has 10,000 cycles. */
    cs_hart_run(hart, CS_HART_KERNEL);
    const uint64_t start[6] = {CS_HPM_EVENT_INSTRET, 1, 0, 0}, stop[6] = {3, 1};
    const cs_cycle begun = cs_hart_now(hart);
    const cs_sbi_ret started =
        sbi.call(sbi.ctx, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_START, start);
    const cs_cycle took = cs_hart_now(hart) - begun;
    cs_hart_return(hart, CS_HART_WORKLOAD);
    cs_hart_wait(hart, cs_hart_now(hart) + 10000, 0);
    cs_hart_trap(hart, CS_HART_KERNEL);
    sbi.call(sbi.ctx, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, stop);
    const uint64_t count = cs_hart_csr_read(hart, HPMCOUNTER3);
    const cs_sbi_ret other = sbi.call(sbi.ctx, hart, CS_SBI_EID_PMU, CS_SBI_PMU_NUM_COUNTERS, stop);

    const cs_event_source truth = cs_timeline_event_source(config.timeline);
    const cs_cycle ended = cs_hart_now(hart);
    const uint64_t user =
        truth.sum(truth.ctx, CS_HPM_EVENT_INSTRET, CS_MODE_MASK(CS_MODE_U), begun, ended);
    const uint64_t all = truth.sum(truth.ctx, CS_HPM_EVENT_INSTRET, CS_MODE_ALL, begun, ended);

    printf("START: error %" PRId64 ", %" PRIu64 " cycles\n", started.error, took);
    printf("%" PRIu64 " instructions\n", count);
    printf("truth: %" PRIu64 " of the workload, %" PRIu64 " of all\n", user, all);
    printf("NUM_COUNTERS: error %" PRId64 "\n", other.error);
    const char *failed = cs_hart_failed(hart);
    printf("%s\n", failed != NULL ? failed : "no exception");
    cs_hart_alone_destroy(alone);
    cs_timeline_destroy(config.timeline);
    cs_stream_pool_destroy(pool);
    return failed != NULL;
}
