// SPDX-License-Identifier: Apache-2.0
// Drives the RTL of the hpm block with what was at the pins of a guest's counters (src/guest/hpm/pins.h), and
// compares what it answers: each access, lcofi_o after each instruction, and all registers at the end.
//
//   replay_pins FILE
//
// Exit status: 0 all is the same, 1 something differs, 2 the file is none.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "hpm/rtl/hpm_bench.hpp"

namespace
{

constexpr unsigned kEvents = 64, kKinds = 16, kAccess = 0x80, kLines = 0xc0, kEnd = 0xff;

struct Event {
    uint32_t kinds;
    bool cycles;
};

struct Access {
    unsigned op, csr, mode, exception;
    uint64_t value, result;
};

struct Replay {
    FILE *file;
    Straps straps;
    Event events[kEvents] = {};
    unsigned cost[kKinds] = {};
    Hpm *hpm = nullptr;
    unsigned lines = 0;
    uint64_t instructions = 0, cycles = 0, accesses = 0, edges = 0, registers = 0;
    bool same = true;

    explicit Replay(FILE *from) : file(from) {}

    ~Replay()
    {
        delete hpm;
    }

    uint64_t number(unsigned bytes)
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < bytes; i++)
            value |= static_cast<uint64_t>(std::fgetc(file) & 0xff) << 8 * i;
        return value;
    }

    void differs(const char *what, uint64_t found, uint64_t expected)
    {
        if (same)
            std::printf("instruction %" PRIu64 ", cycle %" PRIu64 ": %s: RTL 0x%" PRIx64
                        ", model 0x%" PRIx64 "\n",
                        instructions, cycles, what, found, expected);
        same = false;
    }

    // Up to the empty line. False: it is no such file.
    bool begin()
    {
        char line[256];
        unsigned a, b, c, d, e, f;
        uint64_t value;

        while (std::fgets(line, sizeof line, file) != nullptr && line[0] != '\n') {
            if (std::sscanf(line, "hpm %x %x %x %x %x %x", &a, &b, &c, &d, &e, &f) == 6)
                strap(a, b, c, d != 0, e != 0, f);
            else if (std::sscanf(line, "event %x %x %x", &a, &b, &c) == 3 && a < kEvents)
                events[a] = {b, c != 0};
            else if (std::sscanf(line, "cost %x %x", &a, &b) == 2 && a < kKinds)
                cost[a] = b;
            else if (std::sscanf(line, "csr %x %" SCNx64, &a, &value) == 2 && hpm != nullptr)
                hpm->put(static_cast<uint16_t>(a), value);
            else
                return false;
        }
        return hpm != nullptr;
    }

    void strap(unsigned counters, unsigned width, unsigned latency, bool cf, bool dg,
               unsigned modes)
    {
        straps.modes = modes;
        straps.counters = counters;
        straps.width = Straps::filled(width);
        straps.latency = latency;
        straps.smcntrpmf = cf;
        straps.smcdeleg = dg;
        delete hpm;
        hpm = new Hpm(straps);
        hpm->put(csr::mcountinhibit, ones);
    }

    void increments(unsigned kind)
    {
        hpm->increment(0, cost[kind]);
        hpm->increment(2, 1);
        for (unsigned n = 3; n < 32; n++) {
            const unsigned chosen = hpm->event_pins(n);
            const Event event = chosen < kEvents ? events[chosen] : Event{0, false};
            const bool comes = (event.kinds >> kind & 1) != 0;

            hpm->increment(n, !comes ? 0 : event.cycles ? cost[kind] : 1);
        }
    }

    // All that it counts it counts in its last cycle, which is that of its access.
    void instruction(unsigned mode, unsigned kind, const Access *access)
    {
        instructions++;
        cycles += cost[kind];
        hpm->mode(mode);
        hpm->increment_all(0);
        hpm->step(cost[kind] - 1);
        increments(kind);
        if (access == nullptr) {
            hpm->step();
        } else {
            const Answer answer = hpm->access_as(access->mode, static_cast<uint16_t>(access->csr),
                                                 access->op, access->value);

            accesses++;
            if (answer.exc != access->exception)
                differs(name(access->csr, "exception").c_str(), answer.exc, access->exception);
            if (answer.data != access->result)
                differs(name(access->csr, "value").c_str(), answer.data, access->result);
        }
    }

    static std::string name(unsigned number, const char *what)
    {
        char text[64];

        std::snprintf(text, sizeof text, "%s of CSR 0x%x", what, number);
        return text;
    }

    void compare_lines(unsigned now)
    {
        edges += now != lines;
        lines = now;
        if (hpm->dut.lcofi_o != lines)
            differs("lcofi_o", hpm->dut.lcofi_o, lines);
    }

    void compare_register()
    {
        const auto csr = static_cast<uint16_t>(number(2));
        const uint64_t expected = number(8);
        const uint64_t found = hpm->peek(csr);

        registers++;
        if (found != expected)
            differs(name(csr, "end").c_str(), found, expected);
    }

    void run()
    {
        Access access = {};
        bool accesses_next = false, settled = true;
        int byte;

        while (same && (byte = std::fgetc(file)) != EOF) {
            const bool moves =
                byte >= static_cast<int>(kLines) && byte < static_cast<int>(kLines) + 8;

            if (moves)
                compare_lines(byte - kLines);
            else if (!settled)
                compare_lines(lines);
            settled = true;
            if (byte < static_cast<int>(kAccess)) {
                instruction(byte >> 4, byte & 15, accesses_next ? &access : nullptr);
                accesses_next = settled = false;
            } else if (byte == static_cast<int>(kAccess)) {
                access.op = number(1);
                access.csr = number(2);
                access.mode = number(1);
                access.value = number(8);
                access.result = number(8);
                access.exception = number(1);
                accesses_next = true;
            } else if (byte == static_cast<int>(kEnd)) {
                hpm->increment_all(0);
                compare_register();
            }
        }
    }
};

} // namespace

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;

    if (file == nullptr) {
        std::fprintf(stderr, "usage: replay_pins FILE\n");
        return 2;
    }
    Replay replay(file);
    if (!replay.begin()) {
        std::fprintf(stderr, "%s: is no file of pins\n", argv[1]);
        return 2;
    }
    replay.run();
    std::fclose(file);
    std::printf("%" PRIu64 " instructions, %" PRIu64 " cycles, %" PRIu64 " accesses, %" PRIu64
                " edges, %" PRIu64 " registers: %s\n",
                replay.instructions, replay.cycles, replay.accesses, replay.edges, replay.registers,
                replay.same ? "the same" : "they differ");
    return replay.same ? 0 : 1;
}
