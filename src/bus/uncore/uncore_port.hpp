// An uncore block (models/uncore) as a unit behind a register bridge. Its interrupt goes to the probe
// stream only.
#ifndef CS_BUS_UNCORE_UNCORE_PORT_HPP
#define CS_BUS_UNCORE_UNCORE_PORT_HPP

#include "bus/fabric/register_access.hpp"
#include "models/uncore/uncore.h"

namespace cs
{

class UncorePort : public RegisterPort
{
  public:
    // Takes over `uncore`.
    explicit UncorePort(cs_uncore *uncore) : uncore_(uncore) {}
    ~UncorePort() override
    {
        cs_uncore_destroy(uncore_);
    }
    UncorePort(const UncorePort &) = delete;
    UncorePort &operator=(const UncorePort &) = delete;

    bool read(cycle_t cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return cs_uncore_read(uncore_, cycle, offset, wide, &data);
    }
    bool write(cycle_t cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return cs_uncore_write(uncore_, cycle, offset, wide, data);
    }
    // All cycles below have been executed.
    void finish(cycle_t cycle)
    {
        cs_uncore_advance(uncore_, cycle);
    }

  private:
    cs_uncore *uncore_;
};

} // namespace cs

#endif
