// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cpu_pins.hpp"

#include <algorithm>
#include <cstring>

namespace cs
{

cs_bus_port CpuBus::port()
{
    return {submit, this};
}

cs_bus_submit CpuBus::submit(void *ctx, unsigned, cs_bus_txn *txn)
{
    auto *bus = static_cast<CpuBus *>(ctx);

    bus->txn_ = txn;
    bus->address_taken_ = false;
    bus->beats_ = 0;
    txn->resp = CS_BUS_OKAY;
    return CS_BUS_PENDING;
}

static unsigned lane(const cs_bus_txn &txn)
{
    return static_cast<unsigned>(txn.addr % CS_BUS_BEAT_BYTES);
}

static uint8_t log2_size(unsigned size)
{
    return static_cast<uint8_t>(size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0);
}

CpuPins CpuBus::pins(cs_cycle now)
{
    CpuPins pins = {};

    pins.r_ready = true;
    pins.b_ready = true;
    if (txn_ == nullptr || now < txn_->request)
        return pins;
    const auto len = static_cast<uint8_t>(txn_->beats - 1);
    if (!txn_->write) {
        pins.ar_valid = !address_taken_;
        pins.ar_addr = txn_->addr;
        pins.ar_len = len;
        pins.ar_size = log2_size(txn_->size);
        return pins;
    }
    pins.aw_valid = !address_taken_;
    pins.aw_addr = txn_->addr;
    pins.aw_len = len;
    pins.aw_size = log2_size(txn_->size);
    if (beats_ < txn_->beats) {
        pins.w_valid = true;
        pins.w_last = beats_ + 1 == txn_->beats;
        std::memcpy(reinterpret_cast<uint8_t *>(&pins.w_data) + lane(*txn_),
                    &txn_->data[beats_ * txn_->size], txn_->size);
        pins.w_strb = static_cast<uint8_t>(((1u << txn_->size) - 1) << lane(*txn_));
    }
    return pins;
}

const cs_bus_txn *CpuBus::observe(const ManagerPins &pins, cs_cycle now)
{
    if (txn_ == nullptr)
        return nullptr;
    if ((pins.ar_valid && pins.ar_ready) || (pins.aw_valid && pins.aw_ready)) {
        address_taken_ = true;
        txn_->grant = now;
    }
    bool done = false;
    if (pins.w_valid && pins.w_ready)
        beats_++;
    if (pins.r_valid && pins.r_ready) {
        std::memcpy(&txn_->data[beats_ * txn_->size],
                    reinterpret_cast<const uint8_t *>(&pins.r_data) + lane(*txn_), txn_->size);
        txn_->resp = std::max(txn_->resp, pins.r_resp);
        beats_++;
        done = pins.r_last;
    }
    if (pins.b_valid && pins.b_ready) {
        txn_->resp = pins.b_resp;
        done = true;
    }
    if (!done)
        return nullptr;
    cs_bus_txn *complete = txn_;
    complete->complete = now;
    txn_ = nullptr;
    return complete;
}

} // namespace cs
