// SPDX-License-Identifier: Apache-2.0
// A module's socket at somebody else's interconnect, answer by answer (docs/architecture.md, "The
// TLM-2.0 modules in your own platform").
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/forked.hpp"
#include <countersink/bus/fabric/agent_module.hpp>

namespace
{

sc_core::sc_time ns(double n)
{
    return {n, sc_core::SC_NS};
}

// A module that asks for what a test hands it.
class Asker : public cs::AgentModule
{
  public:
    explicit Asker(const sc_core::sc_module_name &name) : AgentModule(name, ns(1))
    {
        add_port("port");
    }
    cs_bus_submit ask(cs_bus_txn &txn)
    {
        return port(0).submit(&txn);
    }
    bool waits() const
    {
        return pending();
    }
    cs_cycle horizon_of_none() const
    {
        return horizon() + limit();
    }
    cs_cycle earliest() const override
    {
        return CS_NEVER;
    }
    bool alone(cs_cycle) const override
    {
        return true;
    }
    std::vector<cs_bus_txn *> done;

  private:
    cs_cycle next() const override
    {
        return CS_NEVER;
    }
    void execute(cs_cycle) override {}
    void bus_done(unsigned port, cs_bus_txn *txn) override
    {
        EXPECT_EQ(port, 0u);
        done.push_back(txn);
    }
};

// Answers as it is told, and keeps what it was asked.
class Interconnect : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>
{
  public:
    explicit Interconnect(const sc_core::sc_module_name &name)
        : sc_core::sc_module(name), socket("socket")
    {
        socket.bind(*this);
    }
    tlm::tlm_target_socket<64> socket;

    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    cs::TransferTimes times; // filled in where it has a completion

    struct Asked {
        tlm::tlm_generic_payload *payload;
        tlm::tlm_command command;
        uint64_t addr;
        const void *data;
        unsigned bytes, width;
        bool fresh; // as the standard wants it
        sc_core::sc_time delay;
    };
    std::vector<Asked> asked;
    std::vector<sc_core::sc_time> ended; // responses, with what was annotated

    tlm::tlm_sync_enum respond(tlm::tlm_generic_payload &payload, tlm::tlm_phase with,
                               sc_core::sc_time after = {})
    {
        return socket->nb_transport_bw(payload, with, after);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &with,
                                       sc_core::sc_time &after) override
    {
        if (with == tlm::END_RESP) {
            ended.push_back(after);
            return tlm::TLM_COMPLETED;
        }
        EXPECT_EQ(with, tlm::BEGIN_REQ);
        asked.push_back({&p, p.get_command(), p.get_address(), p.get_data_ptr(),
                         p.get_data_length(), p.get_streaming_width(),
                         p.get_byte_enable_ptr() == nullptr && !p.is_dmi_allowed() &&
                             p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE &&
                             p.get_extension<cs::TransferTimes>()->complete == CS_NEVER,
                         after});
        with = phase;
        after = delay;
        p.set_response_status(status);
        p.set_dmi_allowed(true);
        p.set_byte_enable_ptr(&enable_);
        if (times.complete != CS_NEVER)
            p.get_extension<cs::TransferTimes>()->copy_from(times);
        return answer;
    }
    void b_transport(tlm::tlm_generic_payload &, sc_core::sc_time &) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
    {
        return false;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override
    {
        return 0;
    }

  private:
    unsigned char enable_ = 0;
};

cs_bus_txn transfer(bool write, uint64_t addr, unsigned size, unsigned beats, cs_cycle request = 12)
{
    cs_bus_txn txn = {};

    txn.write = write;
    txn.addr = addr;
    txn.size = static_cast<uint8_t>(size);
    txn.beats = static_cast<uint8_t>(beats);
    txn.request = request;
    return txn;
}

// A test begins in cycle 10.
template <class Body> void at_cycle_10(Body body)
{
    cs_test::in_child([&] {
        Asker asker("asker");
        Interconnect bus("bus");

        asker.socket().bind(bus.socket);
        sc_core::sc_start(ns(10));
        EXPECT_EQ(asker.horizon_of_none(), 0u) << "without a fabric nothing runs ahead";
        body(asker, bus);
    });
}

} // namespace

TEST(ManagerPort, SaysWhatItAsksFor)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        const struct {
            bool write;
            unsigned size, beats, bytes, width;
        } rows[] = {{false, 8, 1, 8, 8},
                    {true, 4, 1, 4, 4},
                    {true, 8, 16, 128, 128},
                    {false, 4, 6, 24, 4}, // AXI's narrow burst, which fabrics refuse
                    {false, 1, 1, 1, 1}};

        for (const auto &row : rows) {
            cs_bus_txn txn = transfer(row.write, 0x1000, row.size, row.beats);

            EXPECT_EQ(asker.ask(txn), CS_BUS_DONE);
            const Interconnect::Asked &asked = bus.asked.back();
            EXPECT_EQ(asked.command, row.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            EXPECT_EQ(asked.addr, 0x1000u);
            EXPECT_EQ(asked.data, txn.data);
            EXPECT_EQ(asked.bytes, row.bytes);
            EXPECT_EQ(asked.width, row.width);
            EXPECT_EQ(asked.delay, ns(2)) << "the request is in cycle 12";
            EXPECT_TRUE(asked.fresh) << "whatever became of the payload before";
            EXPECT_EQ(asked.payload, bus.asked.front().payload) << "used again and again";
        }
    });
}

// The annotated time says when it is complete: in the first cycle that begins then, and not in
// that of the request.
TEST(ManagerPort, IsCompleteWhenTheInterconnectSays)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        const struct {
            double delay;
            cs_cycle complete;
        } rows[] = {{0, 13}, {2, 13}, {3, 13}, {3.5, 14}, {4, 14}, {20, 30}};

        for (const auto &row : rows)
            for (tlm::tlm_sync_enum answer : {tlm::TLM_COMPLETED, tlm::TLM_UPDATED}) {
                cs_bus_txn txn = transfer(true, 0x1000, 8, 1);

                bus.answer = answer;
                bus.delay = ns(row.delay);
                bus.ended.clear();
                EXPECT_EQ(asker.ask(txn), CS_BUS_DONE);
                EXPECT_EQ(txn.grant, 12u);
                EXPECT_EQ(txn.complete, row.complete) << row.delay;
                EXPECT_FALSE(asker.waits());
                if (answer == tlm::TLM_UPDATED) { // a response, which is to be ended
                    EXPECT_EQ(bus.ended, std::vector<sc_core::sc_time>{ns(row.delay)});
                } else {
                    EXPECT_TRUE(bus.ended.empty());
                }
            }
        EXPECT_TRUE(asker.done.empty()) << "what is done at once is not handed back";
    });
}

TEST(ManagerPort, TakesTheTimesOfAFabric)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        cs_bus_txn txn = transfer(false, 0x1000, 8, 1), other = transfer(false, 0x1000, 8, 1);

        bus.times.grant = 14;
        bus.times.complete = 21;
        bus.delay = ns(50);
        EXPECT_EQ(asker.ask(txn), CS_BUS_DONE);
        EXPECT_EQ(txn.grant, 14u);
        EXPECT_EQ(txn.complete, 21u);
        bus.times.complete = CS_NEVER; // not filled in
        EXPECT_EQ(asker.ask(other), CS_BUS_DONE);
        EXPECT_EQ(other.grant, 12u);
        EXPECT_EQ(other.complete, 60u);
    });
}

TEST(ManagerPort, TellsErrorsAsAxiDoes)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        const struct {
            tlm::tlm_response_status status;
            cs_bus_resp resp;
        } rows[] = {{tlm::TLM_GENERIC_ERROR_RESPONSE, CS_BUS_SLVERR},
                    {tlm::TLM_ADDRESS_ERROR_RESPONSE, CS_BUS_DECERR},
                    {tlm::TLM_BURST_ERROR_RESPONSE, CS_BUS_SLVERR},
                    {tlm::TLM_INCOMPLETE_RESPONSE, CS_BUS_SLVERR},
                    {tlm::TLM_OK_RESPONSE, CS_BUS_OKAY}};

        for (const auto &row : rows) {
            cs_bus_txn txn = transfer(false, 0x1000, 8, 1);

            bus.status = row.status;
            EXPECT_EQ(asker.ask(txn), CS_BUS_DONE);
            EXPECT_EQ(txn.resp, row.resp);
        }
    });
}

// A read and a write may be out at once; each comes back once, with its own payload.
TEST(ManagerPort, WaitsForTheResponse)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        cs_bus_txn read = transfer(false, 0x1000, 8, 1), write = transfer(true, 0x2000, 8, 1);
        tlm::tlm_generic_payload stray;

        stray.set_read();
        bus.answer = tlm::TLM_ACCEPTED;
        EXPECT_EQ(asker.ask(read), CS_BUS_PENDING);
        bus.answer = tlm::TLM_UPDATED;
        bus.phase = tlm::END_REQ;
        EXPECT_EQ(asker.ask(write), CS_BUS_PENDING);
        EXPECT_TRUE(asker.waits());
        EXPECT_TRUE(bus.ended.empty());
        tlm::tlm_generic_payload &r = *bus.asked[0].payload, &w = *bus.asked[1].payload;
        ASSERT_NE(&r, &w);

        EXPECT_EQ(bus.respond(r, tlm::END_REQ), tlm::TLM_ACCEPTED);
        EXPECT_EQ(bus.respond(stray, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
        EXPECT_TRUE(asker.done.empty());

        EXPECT_EQ(bus.respond(w, tlm::BEGIN_RESP, ns(30)), tlm::TLM_COMPLETED);
        EXPECT_EQ(asker.done, std::vector<cs_bus_txn *>{&write});
        EXPECT_EQ(write.complete, 40u);
        EXPECT_TRUE(asker.waits());
        EXPECT_EQ(bus.respond(w, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED) << "it has come already";
        EXPECT_EQ(bus.respond(r, tlm::BEGIN_RESP, ns(7)), tlm::TLM_COMPLETED);
        EXPECT_EQ(asker.done, (std::vector<cs_bus_txn *>{&write, &read}));
        EXPECT_EQ(read.complete, 17u);
        EXPECT_FALSE(asker.waits());
    });
}

// Two payloads are enough for ever.
TEST(ManagerPort, UsesItsPayloadsAgain)
{
    at_cycle_10([](Asker &asker, Interconnect &bus) {
        std::set<tlm::tlm_generic_payload *> used;

        bus.answer = tlm::TLM_ACCEPTED;
        for (unsigned i = 0; i < 5; i++) {
            cs_bus_txn read = transfer(false, 0x1000, 8, 1), write = transfer(true, 0x2000, 8, 1);

            EXPECT_EQ(asker.ask(read), CS_BUS_PENDING);
            EXPECT_EQ(asker.ask(write), CS_BUS_PENDING);
            for (unsigned k = 1; k <= 2; k++) {
                tlm::tlm_generic_payload &payload = *bus.asked[bus.asked.size() - k].payload;

                EXPECT_EQ(payload.get_ref_count(), 1);
                used.insert(&payload);
                bus.respond(payload, tlm::BEGIN_RESP);
                EXPECT_EQ(payload.get_ref_count(), 0);
            }
        }
        EXPECT_EQ(used.size(), 2u);
        EXPECT_EQ(asker.done.size(), 10u);
    });
}
