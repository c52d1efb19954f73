// SPDX-License-Identifier: Apache-2.0
// The fields of AXI bundles (src/rtl/bus/bus_pkg.sv) of a verilated module, by the names that AXI
// gives them.
#ifndef CS_TB_SUPPORT_AXI_FIELDS_HPP
#define CS_TB_SUPPORT_AXI_FIELDS_HPP

#include "bus_pkg.hpp"
#include "lockstep/pin.hpp"

namespace cs_test
{

class AxiField
{
  public:
    AxiField(void *bundle, unsigned lsb, unsigned width) : pin_(bundle), lsb_(lsb), width_(width) {}

    operator uint64_t() const
    {
        return pin_.get(lsb_, width_);
    }

    AxiField &operator=(uint64_t value)
    {
        pin_.set(lsb_, width_, value);
        return *this;
    }

  private:
    cs::Pin pin_;
    unsigned lsb_, width_;
};

// A module that is one manager, with the ports req_o and rsp_i.
template <typename Top> struct AxiManager : Top {
    AxiField awid_o{&this->req_o, cs::bus_pkg::ReqAwId, 4};
    AxiField awaddr_o{&this->req_o, cs::bus_pkg::ReqAwAddr, 64};
    AxiField awlen_o{&this->req_o, cs::bus_pkg::ReqAwLen, 8};
    AxiField awsize_o{&this->req_o, cs::bus_pkg::ReqAwSize, 3};
    AxiField awburst_o{&this->req_o, cs::bus_pkg::ReqAwBurst, 2};
    AxiField awvalid_o{&this->req_o, cs::bus_pkg::ReqAwValid, 1};
    AxiField wdata_o{&this->req_o, cs::bus_pkg::ReqWData, 64};
    AxiField wstrb_o{&this->req_o, cs::bus_pkg::ReqWStrb, 8};
    AxiField wlast_o{&this->req_o, cs::bus_pkg::ReqWLast, 1};
    AxiField wvalid_o{&this->req_o, cs::bus_pkg::ReqWValid, 1};
    AxiField bready_o{&this->req_o, cs::bus_pkg::ReqBReady, 1};
    AxiField arid_o{&this->req_o, cs::bus_pkg::ReqArId, 4};
    AxiField araddr_o{&this->req_o, cs::bus_pkg::ReqArAddr, 64};
    AxiField arlen_o{&this->req_o, cs::bus_pkg::ReqArLen, 8};
    AxiField arsize_o{&this->req_o, cs::bus_pkg::ReqArSize, 3};
    AxiField arburst_o{&this->req_o, cs::bus_pkg::ReqArBurst, 2};
    AxiField arvalid_o{&this->req_o, cs::bus_pkg::ReqArValid, 1};
    AxiField rready_o{&this->req_o, cs::bus_pkg::ReqRReady, 1};
    AxiField awready_i{&this->rsp_i, cs::bus_pkg::RspAwReady, 1};
    AxiField wready_i{&this->rsp_i, cs::bus_pkg::RspWReady, 1};
    AxiField bid_i{&this->rsp_i, cs::bus_pkg::RspBId, 4};
    AxiField bresp_i{&this->rsp_i, cs::bus_pkg::RspBResp, 2};
    AxiField bvalid_i{&this->rsp_i, cs::bus_pkg::RspBValid, 1};
    AxiField arready_i{&this->rsp_i, cs::bus_pkg::RspArReady, 1};
    AxiField rid_i{&this->rsp_i, cs::bus_pkg::RspRId, 4};
    AxiField rdata_i{&this->rsp_i, cs::bus_pkg::RspRData, 64};
    AxiField rresp_i{&this->rsp_i, cs::bus_pkg::RspRResp, 2};
    AxiField rlast_i{&this->rsp_i, cs::bus_pkg::RspRLast, 1};
    AxiField rvalid_i{&this->rsp_i, cs::bus_pkg::RspRValid, 1};
};

} // namespace cs_test

#endif
