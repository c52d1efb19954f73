// SPDX-License-Identifier: Apache-2.0
// An ignorable extension of the generic payload: when the fabric did what with a transfer.
// A manager that wants to know puts one on its payload; the fabric fills it in.
#ifndef CS_BUS_FABRIC_TRANSFER_TIMES_HPP
#define CS_BUS_FABRIC_TRANSFER_TIMES_HPP

#include <tlm>

#include <countersink/base/bus/bus_port.h>

namespace cs
{

struct TransferTimes : tlm::tlm_extension<TransferTimes> {
    cs_cycle request = CS_NEVER;
    cs_cycle grant = CS_NEVER;
    cs_cycle complete = CS_NEVER; // CS_NEVER: not filled in (yet)

    tlm::tlm_extension_base *clone() const override
    {
        return new TransferTimes(*this);
    }
    void copy_from(const tlm::tlm_extension_base &other) override
    {
        *this = static_cast<const TransferTimes &>(other);
    }
};

// TLM's responses as AXI's, and back.
inline cs_bus_resp resp_of(tlm::tlm_response_status status)
{
    if (status == tlm::TLM_OK_RESPONSE)
        return CS_BUS_OKAY;
    return status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? CS_BUS_DECERR : CS_BUS_SLVERR;
}

inline tlm::tlm_response_status status_of(cs_bus_resp resp)
{
    if (resp == CS_BUS_OKAY)
        return tlm::TLM_OK_RESPONSE;
    return resp == CS_BUS_DECERR ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                 : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

} // namespace cs

#endif
