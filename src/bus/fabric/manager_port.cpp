// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/fabric/manager_port.hpp>

#include <algorithm>

namespace cs
{

ManagerPort::ManagerPort(const char *name, unsigned port, const Clock &clock, Owner &owner)
    : socket(name), port_(port), clock_(clock), owner_(owner)
{
    socket.bind(*this);
}

ManagerPort::~ManagerPort() = default;

tlm::tlm_generic_payload &ManagerPort::take()
{
    if (free_.empty()) {
        payloads_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
        payloads_.back()->set_extension(new TransferTimes);
        free_.push_back(payloads_.back().get());
    }
    tlm::tlm_generic_payload &payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    return payload;
}

// The times are the fabric's where it fills them in, otherwise the annotated time says
// when the transfer is complete, and nothing is known of a grant.
void ManagerPort::finish(cs_bus_txn *txn, tlm::tlm_generic_payload &payload,
                         const sc_core::sc_time &delay)
{
    const TransferTimes &times = *payload.get_extension<TransferTimes>();

    txn->resp = static_cast<uint8_t>(resp_of(payload.get_response_status()));
    if (times.complete != CS_NEVER) {
        txn->grant = times.grant;
        txn->complete = times.complete;
    } else {
        txn->grant = txn->request;
        txn->complete = std::max(clock_.at_or_after(delay), txn->request + 1);
    }
    payload.release();
}

cs_bus_submit ManagerPort::submit_by_tlm(cs_bus_txn *txn)
{
    tlm::tlm_generic_payload &payload = take();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.until_begin(txn->request);
    const unsigned bytes = cs_bus_txn_bytes(txn);
    const bool narrow = txn->beats > 1 && txn->size < CS_BUS_BEAT_BYTES;

    payload.set_command(txn->write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(txn->addr);
    payload.set_data_ptr(txn->data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(narrow ? txn->size : bytes); // Fabric refuses narrow bursts
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.get_extension<TransferTimes>()->complete = CS_NEVER;

    // It is open while the call lasts, so that a response on the way is told from a stray one.
    Open &open = open_[txn->write != 0];
    open = {&payload, txn};
    switch (socket->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
        break;
    case tlm::TLM_UPDATED:
        if (phase != tlm::BEGIN_RESP)
            return CS_BUS_PENDING;
        phase = tlm::END_RESP;
        {
            sc_core::sc_time end = delay;
            socket->nb_transport_fw(payload, phase, end);
        }
        break;
    default:
        return CS_BUS_PENDING;
    }
    open = {};
    finish(txn, payload, delay);
    return CS_BUS_DONE;
}

tlm::tlm_sync_enum ManagerPort::nb_transport_bw(tlm::tlm_generic_payload &payload,
                                                tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    Open &open = open_[payload.is_write()];

    if (phase != tlm::BEGIN_RESP || open.payload != &payload)
        return tlm::TLM_ACCEPTED;
    cs_bus_txn *txn = open.txn;
    open = {};
    finish(txn, payload, delay);
    owner_.bus_done(port_, txn);
    return tlm::TLM_COMPLETED;
}

} // namespace cs
