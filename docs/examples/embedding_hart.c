// SPDX-License-Identifier: Apache-2.0
/* Firmware and a driver on a hart that stands alone: docs/yours/embedding_hart.md walks through it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <countersink/base/stream/stream.h>
#include <countersink/base/stream/timeline.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

#define SIE 0x104u
#define SIP 0x144u
#define HPMCOUNTER3 0xc03u
#define SCOUNTOVF 0xda0u
#define MCOUNTINHIBIT 0x320u
#define MHPMEVENT4 0x324u
#define MHPMCOUNTER4 0xb04u
#define LCOFI (UINT64_C(1) << 13)

#define SAMPLE 0x80000000u /* where the handler leaves what it has found */

static void must(cs_status status, const cs_diag *diag)
{
    if (status == CS_OK)
        return;
    fprintf(stderr, "%s: %s\n", diag->where, diag->text);
    exit(1);
}

/* ---- what runs on the hart ---- */

typedef struct workload {
    cs_stream_pool *pool;
    cs_segment_event events[2];
    cs_segment segments[CS_HART_TRACKS];
    cs_track tracks[CS_HART_TRACKS];
    cs_timeline *timeline;
} workload;

/* An application in U mode, and software in S, M and VS: a clock a cycle, an instruction every
 * second one. All of it is borrowed by the timeline. */
static void make_workload(workload *w)
{
    static const cs_privilege modes[CS_HART_TRACKS] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS};
    const cs_stream *clocks, *instructions;
    cs_diag diag;

    must(cs_stream_pool_create(&w->pool, &diag), &diag);
    must(cs_stream_rate(w->pool, (cs_rate){1, 1}, 0, &clocks, &diag), &diag);
    must(cs_stream_rate(w->pool, (cs_rate){1, 2}, 0, &instructions, &diag), &diag);
    w->events[0] = (cs_segment_event){CS_HPM_EVENT_CYCLES, clocks};
    w->events[1] = (cs_segment_event){CS_HPM_EVENT_INSTRET, instructions};
    for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
        w->segments[i] = (cs_segment){
            .length_cycles = 1000, .mode = modes[i], .events = w->events, .nr_events = 2};
        w->tracks[i] = (cs_track){"track", &w->segments[i], 1};
    }
    const cs_timeline_desc desc = {.tracks = w->tracks, .nr_tracks = CS_HART_TRACKS};
    must(cs_timeline_create(&desc, &w->timeline, &diag), &diag);
}

static void end_workload(workload *w)
{
    cs_timeline_destroy(w->timeline);
    cs_stream_pool_destroy(w->pool);
}

/* ---- a driver in S mode ---- */

static cs_sbi_ret call(const cs_sbi *sbi, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    const cs_cycle begun = cs_hart_now(hart);
    const cs_sbi_ret ret = sbi->call(sbi->ctx, hart, CS_SBI_EID_PMU, fid, args);

    printf("SBI function %" PRIu64 ": error %" PRId64 ", value %" PRIu64 ", %" PRIu64 " cycles\n",
           fid, ret.error, ret.value, cs_hart_now(hart) - begun);
    return ret;
}

/* Instructions of U mode, from -1000 on: an overflow with the thousandth. */
static uint64_t sample_instructions(const cs_sbi *sbi, cs_hart *hart)
{
    const uint64_t flags = CS_SBI_CFG_SET_SINH | CS_SBI_CFG_SET_MINH;
    const uint64_t config[6] = {3, 1, flags, 2}; /* of counters {3} that for event_idx 2 */
    const uint64_t counter = call(sbi, hart, CS_SBI_PMU_COUNTER_CONFIG_MATCHING, config).value;
    const uint64_t start[6] = {counter, 1, CS_SBI_START_SET_INIT_VALUE, -UINT64_C(1000)};

    cs_hart_csr_set(hart, SIE, LCOFI);
    call(sbi, hart, CS_SBI_PMU_COUNTER_START, start);
    return counter;
}

/* The application runs until the interrupt; what the hardware does then. */
static void wait_for_overflow(cs_hart *hart)
{
    cs_context context;

    cs_hart_return(hart, CS_HART_WORKLOAD);
    printf("the application goes on in cycle %" PRIu64 "\n", cs_hart_now(hart));
    const unsigned lines = cs_hart_wait(hart, 1000000, CS_HART_LCOFI_S);
    printf("lines %u are high in cycle %" PRIu64 "\n", lines, cs_hart_now(hart) - 1);
    cs_hart_work(hart, cs_hart_get_costs(hart)->irq_latency_cycles);
    cs_hart_trap(hart, CS_HART_KERNEL);
    cs_hart_context(hart, &context);
    printf("the handler begins in cycle %" PRIu64 "; mode %u was interrupted\n", cs_hart_now(hart),
           context.mode);
}

static void handle_overflow(const cs_sbi *sbi, cs_hart *hart, uint64_t counter)
{
    const uint64_t stop[6] = {counter, 1};
    const uint64_t overflowed = cs_hart_csr_read(hart, SCOUNTOVF);
    uint64_t sample = 0;

    call(sbi, hart, CS_SBI_PMU_COUNTER_STOP, stop);
    cs_hart_csr_clear(hart, SIP, LCOFI);
    cs_hart_store64(hart, SAMPLE, cs_hart_csr_read(hart, HPMCOUNTER3));
    cs_hart_load64(hart, SAMPLE, &sample);
    printf("scountovf 0x%" PRIx64 "; %" PRIu64 " instructions since the overflow\n", overflowed,
           sample);
}

/* ---- firmware of your own: raw CSRs in M mode ---- */

static void count_by_hand(cs_hart *hart)
{
    const cs_hart_track before = cs_hart_run(hart, CS_HART_FIRMWARE);

    cs_hart_csr_write(hart, MHPMEVENT4, CS_HPM_EVENT_CYCLES);
    cs_hart_csr_write(hart, MHPMCOUNTER4, 0);
    cs_hart_csr_clear(hart, MCOUNTINHIBIT, 1u << 4); /* counts from the next cycle on */
    cs_hart_work(hart, 100);
    cs_hart_csr_set(hart, MCOUNTINHIBIT, 1u << 4); /* the cycle of this one counts, too */
    printf("mhpmcounter4 %" PRIu64 "\n", cs_hart_csr_read(hart, MHPMCOUNTER4));
    cs_hart_run(hart, before);

    const cs_hpm_result denied = cs_hart_csr(hart, MHPMCOUNTER4, CS_HPM_OP_READ, 0);
    printf("mhpmcounter4 from S mode: exception %d\n", denied.exception);
}

int main(void)
{
    cs_hart_alone_config config = cs_hart_alone_defaults();
    cs_sbi_pmu_config firmware = cs_sbi_pmu_defaults();
    workload workload;
    cs_hart_alone *alone;
    cs_sbi_pmu *pmu;
    cs_diag diag;

    make_workload(&workload);
    config.timeline = workload.timeline;
    firmware.call_cycles = 20;
    must(cs_hart_alone_create(&config, &alone, &diag), &diag);
    must(cs_sbi_pmu_create(&firmware, &pmu, &diag), &diag);

    cs_hart *hart = cs_hart_alone_hart(alone);
    const cs_sbi sbi = cs_sbi_pmu_interface(pmu);
    cs_sbi_pmu_boot(pmu, hart);
    printf("booted: cycle %" PRIu64 "\n", cs_hart_now(hart));

    cs_hart_run(hart, CS_HART_KERNEL);
    const uint64_t counter = sample_instructions(&sbi, hart);
    wait_for_overflow(hart);
    handle_overflow(&sbi, hart, counter);
    count_by_hand(hart);

    const char *failed = cs_hart_failed(hart);
    printf("ends in cycle %" PRIu64 ", %s\n", cs_hart_now(hart),
           failed != NULL ? failed : "without an exception");
    cs_sbi_pmu_destroy(pmu);
    cs_hart_alone_destroy(alone);
    end_workload(&workload);
    return failed != NULL;
}
