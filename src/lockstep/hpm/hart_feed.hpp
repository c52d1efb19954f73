// SPDX-License-Identifier: Apache-2.0
// A hart of the RTL system: drives the pins of its CSR block from its timeline and its software.
#ifndef CS_LOCKSTEP_HPM_HART_FEED_HPP
#define CS_LOCKSTEP_HPM_HART_FEED_HPP

#include "drivers/environment.h"
#include "lockstep/cpu_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/rtl_unit.hpp"
#include <countersink/drivers/hpm/hart.h>

namespace cs
{

// What the harts do, and their software; a field a hart.
struct HartPins {
    explicit HartPins(const RtlDie &die);

    Pin time, mode, v, cycle_inc, instret_inc, event, counting, inc;
    Pin csr_valid, csr_addr, csr_op, csr_wdata, csr_rdata, csr_exc, lines, requests;
};

class HartFeed
{
  public:
    HartFeed(RtlContext &context, HartPins &pins, unsigned hart);
    ~HartFeed();
    HartFeed(const HartFeed &) = delete;

    // Errors of cs_hart_create.
    cs_status create(cs_diag *diag);

    // Sets the inputs of cycle `now`.
    void drive(cs_cycle now);
    // After settling: records of cycle `now`; then the software executes it.
    void step(cs_cycle now);

    cs_timeline *timeline() const
    {
        return timeline_;
    }
    const cs_hart *hart() const
    {
        return hart_;
    }

  private:
    static cs_hpm_result csr(void *ctx, cs_cycle e, const cs_hpm_access *access);
    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high);
    static void run(void *ctx, cs_cycle cycle, cs_hart_track track);
    static void context(void *ctx, cs_cycle cycle, cs_context *out);
    static cs_cycle irqs_on(void *ctx, cs_cycle cycle);

    uint8_t increment(unsigned row, uint32_t event, cs_cycle now);
    void drive_increments(cs_cycle now);
    void drive_access(const cs_hpm_access *access);
    cs_hpm_result result() const;
    void observe_lines(unsigned lines, cs_cycle now);
    void observe_access(const cs_hpm_access &access, const cs_hpm_result &result,
                        cs_cycle now) const;

    RtlContext &context_;
    HartPins &pins_;
    unsigned number_;
    unsigned manager_; // the die's
    cs_timeline *timeline_;
    cs_hart *hart_ = nullptr;
    CpuBus bus_;
    RequestPins request_;
    cs_cycle mode_until_ = 0;
    EventBlock rows_[CS_HPM_COUNTERS];
    cs_hpm_result result_ = {}; // of the access of this cycle
    unsigned lines_ = 0;
};

} // namespace cs

#endif
