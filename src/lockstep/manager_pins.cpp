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

void drive_request(Pin requests, unsigned n, const CpuPins &pins)
{
    constexpr unsigned kIncr = 1;
    const unsigned at = bus_pkg::ReqBits * n;

    requests.set(at + bus_pkg::ReqAwId, 4, 0);
    requests.set(at + bus_pkg::ReqAwValid, 1, pins.aw_valid);
    requests.set(at + bus_pkg::ReqAwAddr, 64, pins.aw_addr);
    requests.set(at + bus_pkg::ReqAwLen, 8, pins.aw_len);
    requests.set(at + bus_pkg::ReqAwSize, 3, pins.aw_size);
    requests.set(at + bus_pkg::ReqAwBurst, 2, kIncr);
    requests.set(at + bus_pkg::ReqWValid, 1, pins.w_valid);
    requests.set(at + bus_pkg::ReqWData, 64, pins.w_data);
    requests.set(at + bus_pkg::ReqWStrb, 8, pins.w_strb);
    requests.set(at + bus_pkg::ReqWLast, 1, pins.w_last);
    requests.set(at + bus_pkg::ReqBReady, 1, pins.b_ready);
    requests.set(at + bus_pkg::ReqArId, 4, 0);
    requests.set(at + bus_pkg::ReqArValid, 1, pins.ar_valid);
    requests.set(at + bus_pkg::ReqArAddr, 64, pins.ar_addr);
    requests.set(at + bus_pkg::ReqArLen, 8, pins.ar_len);
    requests.set(at + bus_pkg::ReqArSize, 3, pins.ar_size);
    requests.set(at + bus_pkg::ReqArBurst, 2, kIncr);
    requests.set(at + bus_pkg::ReqRReady, 1, pins.r_ready);
}

} // namespace cs
