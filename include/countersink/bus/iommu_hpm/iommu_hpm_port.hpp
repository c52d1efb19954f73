// SPDX-License-Identifier: Apache-2.0
// An IOMMU's monitor (models/iommu_hpm) as a unit behind a register bridge. Its interrupt goes to the
// probe stream.
#ifndef CS_BUS_IOMMU_HPM_IOMMU_HPM_PORT_HPP
#define CS_BUS_IOMMU_HPM_IOMMU_HPM_PORT_HPP

#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/models/iommu_hpm/iommu_hpm.h>

namespace cs
{

class IommuHpmPort : public RegisterPort
{
  public:
    // A configuration that the model refuses is an sc_report of severity SC_ERROR. Where the handler lets
    // that pass, each access is an error and nothing counts. env.probe is borrowed and may be NULL.
    IommuHpmPort(const cs_iommu_hpm_config &config, const cs_iommu_hpm_env &env)
    {
        cs_diag diag = {};

        if (cs_iommu_hpm_create(&config, &env, &iommu_, &diag) != CS_OK)
            SC_REPORT_ERROR("/countersink/iommu_hpm", diag.text);
    }
    ~IommuHpmPort() override
    {
        cs_iommu_hpm_destroy(iommu_);
    }
    IommuHpmPort(const IommuHpmPort &) = delete;
    IommuHpmPort &operator=(const IommuHpmPort &) = delete;

    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return iommu_ == nullptr ||
               cs_iommu_hpm_read(iommu_, cycle, offset, wide, &data) != CS_BUS_OKAY;
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return iommu_ == nullptr ||
               cs_iommu_hpm_write(iommu_, cycle, offset, wide, data) != CS_BUS_OKAY;
    }
    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        finish(cycle);
        return iommu_ == nullptr || cs_iommu_hpm_ask(iommu_, offset, wide, &data) != CS_BUS_OKAY;
    }
    // All cycles below have been executed.
    void finish(cs_cycle cycle)
    {
        if (iommu_ != nullptr)
            cs_iommu_hpm_advance(iommu_, cycle);
    }

  protected:
    // The line: when it changes next, since when it is what it is, what it is.
    cs_cycle line_next() const
    {
        return iommu_ == nullptr ? CS_NEVER : cs_iommu_hpm_next(iommu_);
    }
    cs_cycle line_now() const
    {
        return iommu_ == nullptr ? 0 : cs_iommu_hpm_now(iommu_);
    }
    bool line_level() const
    {
        return iommu_ != nullptr && cs_iommu_hpm_irq(iommu_);
    }

  private:
    cs_iommu_hpm *iommu_ = nullptr;
};

} // namespace cs

#endif
