// A hart of the RTL system: drives the pins of its CSR block from its timeline and its software.
#ifndef CS_LOCKSTEP_HART_FEED_HPP
#define CS_LOCKSTEP_HART_FEED_HPP

#include "drivers/environment.h"
#include "lockstep/cpu_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

class HartFeed
{
  public:
    HartFeed(cs_environment *environment, unsigned hart);
    ~HartFeed();
    HartFeed(const HartFeed &) = delete;

    // Errors of cs_hart_create.
    cs_status create(cs_diag *diag);

    // Sets the inputs of cycle `now`.
    void drive(RtlDie &die, cycle_t now);
    // After settling: records of cycle `now`; then the software executes it.
    void step(RtlDie &die, cycle_t now);

    const cs_hart *hart() const
    {
        return hart_;
    }

  private:
    static cs_hpm_result csr(void *ctx, cycle_t e, const cs_hpm_access *access);
    static cycle_t line(void *ctx, cycle_t from, cycle_t to, unsigned lines, unsigned *high);
    static void run(void *ctx, cycle_t cycle, cs_hart_track track);
    static void context(void *ctx, cycle_t cycle, cs_context *out);

    uint8_t increment(unsigned row, uint32_t event, cycle_t now);
    void observe_lines(unsigned lines, cycle_t now);
    void observe_access(const cs_hpm_access &access, const cs_hpm_result &result,
                        cycle_t now) const;

    cs_environment *environment_;
    unsigned number_;
    cs_timeline *timeline_;
    cs_hart *hart_ = nullptr;
    CpuBus bus_;
    cycle_t mode_until_ = 0;
    EventBlock rows_[CS_HPM_SLOTS];
    cs_hpm_result result_ = {}; // of the access of this cycle
    unsigned lines_ = 0;
};

} // namespace cs

#endif
