// SPDX-License-Identifier: Apache-2.0
#include "lockstep/manager_pins.hpp"

#include "bus_pkg.hpp"

namespace cs
{

ManagerPins ManagerPort::at(unsigned place) const
{
    const unsigned req = bus_pkg::ReqBits * place;
    const unsigned rsp = bus_pkg::RspBits * place;
    ManagerPins p = {};

    p.ar_valid = requests_.bit(req + bus_pkg::ReqArValid);
    p.r_ready = requests_.bit(req + bus_pkg::ReqRReady);
    p.aw_valid = requests_.bit(req + bus_pkg::ReqAwValid);
    p.w_valid = requests_.bit(req + bus_pkg::ReqWValid);
    p.b_ready = requests_.bit(req + bus_pkg::ReqBReady);
    p.ar_ready = responses_.bit(rsp + bus_pkg::RspArReady);
    p.r_valid = responses_.bit(rsp + bus_pkg::RspRValid);
    p.aw_ready = responses_.bit(rsp + bus_pkg::RspAwReady);
    p.w_ready = responses_.bit(rsp + bus_pkg::RspWReady);
    p.b_valid = responses_.bit(rsp + bus_pkg::RspBValid);
    if (p.ar_valid) {
        p.ar_addr = requests_.get(req + bus_pkg::ReqArAddr, 64);
        p.ar_len = static_cast<uint8_t>(requests_.get(req + bus_pkg::ReqArLen, 8));
        p.ar_size = static_cast<uint8_t>(requests_.get(req + bus_pkg::ReqArSize, 3));
    }
    if (p.aw_valid) {
        p.aw_addr = requests_.get(req + bus_pkg::ReqAwAddr, 64);
        p.aw_len = static_cast<uint8_t>(requests_.get(req + bus_pkg::ReqAwLen, 8));
        p.aw_size = static_cast<uint8_t>(requests_.get(req + bus_pkg::ReqAwSize, 3));
    }
    if (p.r_valid) {
        p.r_data = responses_.get(rsp + bus_pkg::RspRData, 64);
        p.r_resp = static_cast<uint8_t>(responses_.get(rsp + bus_pkg::RspRResp, 2));
        p.r_last = responses_.bit(rsp + bus_pkg::RspRLast);
    }
    if (p.w_valid) {
        p.w_data = requests_.get(req + bus_pkg::ReqWData, 64);
        p.w_strb = static_cast<uint8_t>(requests_.get(req + bus_pkg::ReqWStrb, 8));
        p.w_last = requests_.bit(req + bus_pkg::ReqWLast);
    }
    if (p.b_valid)
        p.b_resp = static_cast<uint8_t>(responses_.get(rsp + bus_pkg::RspBResp, 2));
    return p;
}

static bool same(const CpuPins &a, const CpuPins &b)
{
    return a.ar_valid == b.ar_valid && a.r_ready == b.r_ready && a.aw_valid == b.aw_valid &&
           a.w_valid == b.w_valid && a.w_last == b.w_last && a.b_ready == b.b_ready &&
           a.ar_addr == b.ar_addr && a.aw_addr == b.aw_addr && a.w_data == b.w_data &&
           a.ar_len == b.ar_len && a.ar_size == b.ar_size && a.aw_len == b.aw_len &&
           a.aw_size == b.aw_size && a.w_strb == b.w_strb;
}

void RequestPins::drive(const CpuPins &pins)
{
    if (driven_ && same(pins, last_))
        return;
    driven_ = true;
    last_ = pins;
    write(pins);
}

void RequestPins::write(const CpuPins &pins)
{
    constexpr unsigned kIncr = 1;
    const unsigned at = bus_pkg::ReqBits * n_;

    requests_.set(at + bus_pkg::ReqAwId, 4, 0);
    requests_.set(at + bus_pkg::ReqAwValid, 1, pins.aw_valid);
    requests_.set(at + bus_pkg::ReqAwAddr, 64, pins.aw_addr);
    requests_.set(at + bus_pkg::ReqAwLen, 8, pins.aw_len);
    requests_.set(at + bus_pkg::ReqAwSize, 3, pins.aw_size);
    requests_.set(at + bus_pkg::ReqAwBurst, 2, kIncr);
    requests_.set(at + bus_pkg::ReqWValid, 1, pins.w_valid);
    requests_.set(at + bus_pkg::ReqWData, 64, pins.w_data);
    requests_.set(at + bus_pkg::ReqWStrb, 8, pins.w_strb);
    requests_.set(at + bus_pkg::ReqWLast, 1, pins.w_last);
    requests_.set(at + bus_pkg::ReqBReady, 1, pins.b_ready);
    requests_.set(at + bus_pkg::ReqArId, 4, 0);
    requests_.set(at + bus_pkg::ReqArValid, 1, pins.ar_valid);
    requests_.set(at + bus_pkg::ReqArAddr, 64, pins.ar_addr);
    requests_.set(at + bus_pkg::ReqArLen, 8, pins.ar_len);
    requests_.set(at + bus_pkg::ReqArSize, 3, pins.ar_size);
    requests_.set(at + bus_pkg::ReqArBurst, 2, kIncr);
    requests_.set(at + bus_pkg::ReqRReady, 1, pins.r_ready);
}

} // namespace cs
