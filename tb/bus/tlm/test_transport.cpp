// SPDX-License-Identifier: Apache-2.0
// How the fabric meets TLM-2.0, phase by phase (docs/architecture.md, "The TLM-2.0 modules in your
// own platform"): an initiator that does each step by itself.
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "support/forked.hpp"
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/transfer_times.hpp>

namespace
{

constexpr uint64_t kPlain = 0x1000, kLocal = 0x8000, kSize = 0x1000, kHole = 0x70000;

sc_core::sc_time ns(double n)
{
    return {n, sc_core::SC_NS};
}

// Called from outside, while SystemC stands still.
class Initiator : public sc_core::sc_module, public tlm::tlm_mm_interface
{
  public:
    explicit Initiator(const sc_core::sc_module_name &name)
        : sc_core::sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    }
    tlm_utils::simple_initiator_socket<Initiator, 64> socket;

    // How a response is answered.
    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    tlm::tlm_phase answer_phase = tlm::BEGIN_RESP;
    std::vector<std::pair<tlm::tlm_generic_payload *, sc_core::sc_time>> responses;
    unsigned freed = 0;

    tlm::tlm_sync_enum send(tlm::tlm_generic_payload &payload,
                            tlm::tlm_phase phase = tlm::BEGIN_REQ, double delay = 0)
    {
        sc_core::sc_time after = ns(delay);

        return socket->nb_transport_fw(payload, phase, after);
    }
    void free(tlm::tlm_generic_payload *) override
    {
        freed++;
    }

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        EXPECT_EQ(phase, tlm::BEGIN_RESP);
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
        responses.emplace_back(&payload, sc_core::sc_time_stamp());
        phase = answer_phase;
        return answer;
    }
};

// A target that answers what it is told and keeps what it was asked.
class Target : public sc_core::sc_module
{
  public:
    explicit Target(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        socket.register_b_transport(this, &Target::b_transport);
        socket.register_transport_dbg(this, &Target::transport_dbg);
    }
    tlm_utils::simple_target_socket<Target, 64> socket{"socket"};
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::vector<uint64_t> asked;                          // addresses
    std::vector<std::pair<uint64_t, unsigned>> looked_at; // addresses and lengths

  private:
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
    {
        asked.push_back(payload.get_address());
        payload.set_dmi_allowed(true);
        payload.set_response_status(status);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &payload)
    {
        looked_at.emplace_back(payload.get_address(), payload.get_data_length());
        return payload.get_data_length();
    }
};

struct Payload : tlm::tlm_generic_payload {
    Payload(tlm::tlm_command command, uint64_t addr, unsigned bytes = 8)
    {
        set_command(command);
        set_address(addr);
        set_data_ptr(data);
        set_data_length(bytes);
        set_streaming_width(bytes);
        set_dmi_allowed(true);
    }
    Payload(uint64_t addr, Initiator &owner) : Payload(tlm::TLM_READ_COMMAND, addr)
    {
        set_mm(&owner);
    }
    ~Payload() override
    {
        clear_extension(&times);
    }
    void ask_for_times()
    {
        set_extension(&times);
    }
    unsigned char data[256] = {};
    cs::TransferTimes times;
};

struct Platform {
    Platform() : initiator("initiator"), plain("plain"), local("local")
    {
        cs::FabricConfig config;
        cs::TargetConfig target;

        config.period = ns(1);
        target.base = kPlain;
        target.size = kSize;
        config.targets.push_back(target);
        target.base = kLocal;
        target.local_address = true;
        config.targets.push_back(target);
        fabric = std::make_unique<cs::Fabric>("fabric", config);
        fabric->target[0].bind(plain.socket);
        fabric->target[1].bind(local.socket);
        initiator.socket.bind(fabric->manager[0]);
        sc_core::sc_start(ns(10));
    }
    Initiator initiator;
    Target plain, local;
    std::unique_ptr<cs::Fabric> fabric;
};

// Of a read that may rise in cycle `request`: A = request + 5, complete A + 1 + B.
constexpr double complete(double request)
{
    return request + 5 + 3;
}

} // namespace

TEST(Transport, AnswersWhatNeedsNoTransferAtOnce)
{
    cs_test::in_child([] {
        Platform p;
        Payload ignore(tlm::TLM_IGNORE_COMMAND, kPlain), empty(tlm::TLM_READ_COMMAND, kPlain, 0),
            nowhere(tlm::TLM_READ_COMMAND, kPlain), narrow(tlm::TLM_WRITE_COMMAND, kPlain);

        nowhere.set_data_ptr(nullptr);
        narrow.set_streaming_width(0);
        empty.set_streaming_width(8);
        for (bool blocking : {false, true}) {
            const auto expect = [&](Payload &payload, tlm::tlm_response_status status) {
                sc_core::sc_time delay = ns(4);

                payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                if (blocking) {
                    p.initiator.socket->b_transport(payload, delay);
                    EXPECT_EQ(delay, ns(4));
                } else {
                    EXPECT_EQ(p.initiator.send(payload), tlm::TLM_COMPLETED);
                }
                EXPECT_EQ(payload.get_response_status(), status);
            };
            expect(ignore, tlm::TLM_OK_RESPONSE);
            expect(empty, tlm::TLM_BURST_ERROR_RESPONSE);
            expect(nowhere, tlm::TLM_BURST_ERROR_RESPONSE);
            expect(narrow, tlm::TLM_BURST_ERROR_RESPONSE);
        }
        sc_core::sc_start(ns(100));
        EXPECT_TRUE(p.initiator.responses.empty());
        EXPECT_TRUE(p.plain.asked.empty());
    });
}

TEST(Transport, LeavesPhasesOfOthersAlone)
{
    cs_test::in_child([] {
        Platform p;
        Payload payload(tlm::TLM_READ_COMMAND, kPlain);

        EXPECT_EQ(p.initiator.send(payload, tlm::END_REQ), tlm::TLM_ACCEPTED);
        EXPECT_EQ(p.initiator.send(payload, tlm::END_RESP), tlm::TLM_COMPLETED) << "of no response";
        sc_core::sc_start(ns(100));
        EXPECT_TRUE(p.initiator.responses.empty());
        EXPECT_TRUE(p.plain.asked.empty());
    });
}

// A request is seen in the first cycle that begins at or after its time, and not in this one.
TEST(Transport, SeesARequestInACycleToCome)
{
    const struct {
        double delay, request;
    } rows[] = {{0, 11}, {0.5, 11}, {1, 11}, {1.5, 12}, {2, 12}, {9, 19}};

    for (const auto &row : rows)
        cs_test::in_child([&row] {
            Platform p;
            Payload payload(kPlain, p.initiator);

            payload.ask_for_times();
            payload.acquire();
            EXPECT_EQ(p.initiator.send(payload, tlm::BEGIN_REQ, row.delay), tlm::TLM_ACCEPTED);
            EXPECT_EQ(payload.get_ref_count(), 2) << "the fabric holds it";
            sc_core::sc_start(ns(100));
            ASSERT_EQ(p.initiator.responses.size(), 1u);
            EXPECT_EQ(p.initiator.responses[0].second, ns(complete(row.request))) << row.delay;
            EXPECT_EQ(payload.get_ref_count(), 1);
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
            EXPECT_FALSE(payload.is_dmi_allowed()) << "the target's hint is its own";
            EXPECT_EQ(payload.times.request, row.request);
            EXPECT_EQ(payload.times.grant, row.request + 1);
            EXPECT_EQ(payload.times.complete, complete(row.request));
        });
}

// One after the other: each rises in the cycle after the completion of the one before.
TEST(Transport, CarriesOutWhatIsOpenInOrder)
{
    cs_test::in_child([] {
        Platform p;
        Payload payloads[] = {
            {kPlain, p.initiator}, {kPlain + 8, p.initiator}, {kLocal, p.initiator}};
        double request = 11;

        for (Payload &payload : payloads) {
            payload.acquire();
            EXPECT_EQ(p.initiator.send(payload), tlm::TLM_ACCEPTED);
        }
        sc_core::sc_start(ns(200));
        ASSERT_EQ(p.initiator.responses.size(), 3u);
        for (unsigned i = 0; i < 3; i++, request = complete(request) + 1) {
            EXPECT_EQ(p.initiator.responses[i].first, &payloads[i]);
            EXPECT_EQ(p.initiator.responses[i].second, ns(complete(request)));
            payloads[i].release();
        }
        EXPECT_EQ(p.initiator.freed, 3u);
        EXPECT_EQ(p.plain.asked, (std::vector<uint64_t>{kPlain, kPlain + 8}));
        EXPECT_EQ(p.local.asked, std::vector<uint64_t>{0}) << "counted from the window's base";
        EXPECT_EQ(payloads[2].get_address(), kLocal);
    });
}

// A response is over with TLM_COMPLETED, with END_RESP on the way back, or with END_RESP later:
// so long the next one waits.
TEST(Transport, HoldsAResponseUntilTheLastIsOver)
{
    const struct {
        tlm::tlm_sync_enum answer;
        tlm::tlm_phase phase;
        bool over;
    } rows[] = {{tlm::TLM_COMPLETED, tlm::BEGIN_RESP, true},
                {tlm::TLM_UPDATED, tlm::END_RESP, true},
                {tlm::TLM_UPDATED, tlm::BEGIN_RESP, false},
                {tlm::TLM_ACCEPTED, tlm::BEGIN_RESP, false}};

    for (const auto &row : rows)
        cs_test::in_child([&row] {
            Platform p;
            Payload payloads[] = {
                {kPlain, p.initiator}, {kPlain, p.initiator}, {kPlain, p.initiator}};

            p.initiator.answer = row.answer;
            p.initiator.answer_phase = row.phase;
            for (Payload &payload : payloads) {
                payload.acquire();
                p.initiator.send(payload);
            }
            sc_core::sc_start(ns(200));
            EXPECT_EQ(p.initiator.responses.size(), row.over ? 3u : 1u);
            for (unsigned i = 0; i < 3 && !row.over; i++) {
                EXPECT_EQ(p.initiator.responses.size(), i + 1);
                EXPECT_EQ(p.initiator.send(payloads[i], tlm::END_RESP), tlm::TLM_COMPLETED);
            }
            EXPECT_EQ(p.initiator.responses.size(), 3u);
            EXPECT_EQ(p.fabric->completed_late(), 3u);
            for (Payload &payload : payloads)
                payload.release();
        });
}

// Payloads without a memory manager are the initiator's own all the time.
TEST(Transport, HoldsNothingWithoutAMemoryManager)
{
    cs_test::in_child([] {
        Platform p;
        Payload payload(tlm::TLM_READ_COMMAND, kHole);

        payload.data[0] = 0xff;
        EXPECT_EQ(p.initiator.send(payload), tlm::TLM_ACCEPTED);
        sc_core::sc_start(ns(100));
        EXPECT_EQ(p.initiator.responses.size(), 1u);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(payload.data[0], 0) << "an error reads as zeros";
        EXPECT_FALSE(payload.is_dmi_allowed());
    });
}

// What a target answers is handed on as it is; what is read with an error is zero.
TEST(Transport, HandsOnTheTargetsResponse)
{
    for (tlm::tlm_response_status status :
         {tlm::TLM_OK_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE})
        for (tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND})
            cs_test::in_child([&] {
                Platform p;
                Payload payload(command, kPlain);

                p.plain.status = status;
                payload.data[7] = 0xff;
                p.initiator.send(payload);
                sc_core::sc_start(ns(100));
                EXPECT_EQ(payload.get_response_status(), status);
                EXPECT_EQ(payload.data[7] == 0,
                          status != tlm::TLM_OK_RESPONSE && command == tlm::TLM_READ_COMMAND);
            });
}

// docs/hw/bus.md, "What a manager may ask for".
TEST(Transport, RefusesWhatAxiCannotCarry)
{
    const struct {
        const char *name;
        uint64_t offset;
        unsigned bytes, width;
        bool fits;
    } rows[] = {{"1 byte", 7, 1, 1, true},
                {"2 bytes", 6, 2, 2, true},
                {"2 bytes, not aligned", 7, 2, 2, false},
                {"3 bytes", 0, 3, 3, false},
                {"4 bytes", 4, 4, 4, true},
                {"5 bytes", 0, 5, 5, false},
                {"6 bytes", 0, 6, 6, false},
                {"7 bytes", 0, 7, 7, false},
                {"8 bytes, a wider stream", 8, 8, 16, true},
                {"a fixed burst", 8, 8, 4, false},
                {"12 bytes", 0, 12, 12, false},
                {"16 beats", 0, 128, 128, true},
                {"17 beats", 0, 136, 136, false},
                {"a burst, not aligned", 4, 16, 16, false},
                {"a burst up to 4 KiB", 0xff0, 16, 16, true},
                {"a burst beyond", 0xff8, 16, 16, false}};

    cs_test::in_child([&rows] {
        Platform p;

        for (const auto &row : rows) {
            Payload payload(tlm::TLM_WRITE_COMMAND, kPlain + row.offset, row.bytes);
            const size_t before = p.plain.asked.size();

            payload.set_streaming_width(row.width);
            p.initiator.send(payload);
            sc_core::sc_start(ns(100));
            EXPECT_EQ(payload.get_response_status(),
                      row.fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE)
                << row.name;
            EXPECT_EQ(p.plain.asked.size() - before, row.fits) << row.name;
        }
    });
}

// In no time, and no further than the window of the first byte.
TEST(Transport, ReachesThroughForDebugging)
{
    cs_test::in_child([] {
        Platform p;
        Payload plain(tlm::TLM_READ_COMMAND, kPlain + 8, 16),
            last(tlm::TLM_READ_COMMAND, kLocal + kSize - 4, 16),
            hole(tlm::TLM_WRITE_COMMAND, kLocal + kSize, 16);

        EXPECT_EQ(p.initiator.socket->transport_dbg(plain), 16u);
        EXPECT_EQ(p.initiator.socket->transport_dbg(last), 4u);
        EXPECT_EQ(p.initiator.socket->transport_dbg(hole), 0u);
        using Looks = std::vector<std::pair<uint64_t, unsigned>>;
        EXPECT_EQ(p.plain.looked_at, (Looks{{kPlain + 8, 16}}));
        EXPECT_EQ(p.local.looked_at, (Looks{{kSize - 4, 4}}));
        EXPECT_EQ(last.get_address(), kLocal + kSize - 4);
        EXPECT_EQ(last.get_data_length(), 16u);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(p.initiator.socket->get_direct_mem_ptr(plain, dmi));
    });
}

TEST(FabricConfig, IsRefusedWhereItIsOutOfRange)
{
    cs_test::in_child([] {
        cs::FabricConfig good;
        cs::TargetConfig target;
        unsigned number = 0;
        const auto fits = [&](const cs::FabricConfig &config) {
            try {
                cs::Fabric(("fabric_" + std::to_string(number++)).c_str(), config);
            } catch (const sc_core::sc_report &) {
                return false;
            }
            return true;
        };
        const auto with = [&](uint64_t base, uint64_t size, cs::TargetKind kind, unsigned access) {
            cs::FabricConfig config = good;

            target.base = base;
            target.size = size;
            target.timing.kind = kind;
            target.timing.access_cycles = access;
            config.targets = {target};
            return config;
        };

        good.period = ns(1);
        EXPECT_TRUE(fits(good));
        for (const auto &[managers, fit] :
             {std::pair(0u, false), {1u, true}, {128u, true}, {129u, false}}) {
            cs::FabricConfig config = good;

            config.managers = managers;
            EXPECT_EQ(fits(config), fit) << managers << " managers";
        }
        for (const auto &[ps, fit] : {std::pair(0., false), {1., false}, {2., true}, {3., false}}) {
            cs::FabricConfig config = good;

            config.period = sc_core::sc_time(ps, sc_core::SC_PS);
            EXPECT_EQ(fits(config), fit) << "a period of " << ps;
        }
        EXPECT_FALSE(fits(with(0x1000, 0, cs::TargetKind::plain, 1))) << "an empty window";
        EXPECT_TRUE(fits(with(0, UINT64_MAX, cs::TargetKind::plain, 1)));
        EXPECT_TRUE(fits(with(-UINT64_C(0x1000), 0x1000, cs::TargetKind::plain, 1)));
        EXPECT_FALSE(fits(with(-UINT64_C(0x1000), 0x1001, cs::TargetKind::plain, 1)));
        EXPECT_TRUE(fits(with(0, 1, cs::TargetKind::plain, 0)));
        EXPECT_TRUE(fits(with(0, 1, cs::TargetKind::registers, 1)));
        EXPECT_FALSE(fits(with(0, 1, cs::TargetKind::registers, 0)));
    });
}
