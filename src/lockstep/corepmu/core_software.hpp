// SPDX-License-Identifier: Apache-2.0
// Software on an Arm core (drivers/corepmu/arm_core.h) on the pins of the core's PMU.
#ifndef CS_LOCKSTEP_COREPMU_CORE_SOFTWARE_HPP
#define CS_LOCKSTEP_COREPMU_CORE_SOFTWARE_HPP

#include "drivers/corepmu/arm_core.h"
#include "lockstep/corepmu/core_feed.hpp"
#include "lockstep/rtl_unit.hpp"

namespace cs
{

// The cores' own accesses: ports of the PMCU's module; a field a core.
struct SysPins {
    explicit SysPins(const RtlDie &die);

    Pin en, write, guest, addr, wdata, ready, rdata, overflow;
};

class CoreSoftware
{
  public:
    // `core`: the RTL's own number.
    CoreSoftware(RtlContext &context, CoreFeed &feed, unsigned core);
    ~CoreSoftware();
    CoreSoftware(const CoreSoftware &) = delete;
    CoreSoftware &operator=(const CoreSoftware &) = delete;

    cs_status create(const cs_arm_core_config &config, cs_diag *diag);
    void drive(SysPins &pins, cs_cycle now);
    void observe(SysPins &pins, cs_cycle now);
    void step(cs_cycle now);
    cs_cycle end() const;

  private:
    static bool access(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data);
    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to);
    void move(cs_cycle cycle, bool enter);

    RtlContext &context_;
    CoreFeed &feed_;
    unsigned core_;
    bool guest_ = false;
    unsigned cpu_ = 0;
    cs_arm_core *software_ = nullptr;
    bool driven_ = false;
    // What the pins of the last observed cycle were.
    cs_cycle seen_ = 0;
    bool ready_ = false, high_ = false;
    uint64_t data_ = 0;
};

} // namespace cs

#endif
