// A hart of the RTL system: drives the pins of its CSR block from its timeline and its software.
#ifndef CS_LOCKSTEP_HPM_HART_FEED_HPP
#define CS_LOCKSTEP_HPM_HART_FEED_HPP

#include "drivers/environment.h"
#include "drivers/hpm/hart.h"
#include "lockstep/cpu_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/rtl_unit.hpp"

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
    void drive(cycle_t now);
    // After settling: records of cycle `now`; then the software executes it.
    void step(cycle_t now);

    cs_timeline *timeline() const
    {
        return timeline_;
    }
    const cs_hart *hart() const
    {
        return hart_;
    }

  private:
    static cs_hpm_result csr(void *ctx, cycle_t e, const cs_hpm_access *access);
    static cycle_t line(void *ctx, cycle_t from, cycle_t to, unsigned lines, unsigned *high);
    static void run(void *ctx, cycle_t cycle, cs_hart_track track);
    static void context(void *ctx, cycle_t cycle, cs_context *out);
    static cycle_t irqs_on(void *ctx, cycle_t cycle);

    uint8_t increment(unsigned row, uint32_t event, cycle_t now);
    void drive_increments(cycle_t now);
    void drive_access(const cs_hpm_access *access);
    cs_hpm_result result() const;
    void observe_lines(unsigned lines, cycle_t now);
    void observe_access(const cs_hpm_access &access, const cs_hpm_result &result,
                        cycle_t now) const;

    RtlContext &context_;
    HartPins &pins_;
    unsigned number_;
    unsigned manager_; // the die's
    cs_timeline *timeline_;
    cs_hart *hart_ = nullptr;
    CpuBus bus_;
    RequestPins request_;
    cycle_t mode_until_ = 0;
    EventBlock rows_[CS_HPM_COUNTERS];
    cs_hpm_result result_ = {}; // of the access of this cycle
    unsigned lines_ = 0;
};

} // namespace cs

#endif
