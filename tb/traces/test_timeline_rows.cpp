// SPDX-License-Identifier: Apache-2.0
// Every track of a timeline is held against the truth: whichever field of an event is another, whichever
// event is missing or there twice, `check` says so in the row of its kind.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

const std::string kSource = CS_SOURCE_DIR "/";

const std::string kFormats[] = {"ctf", "perfetto", "perfetto --flavour proto"};

struct TimelineRows : Command {
    void make(const std::string &name, const std::string &format, const std::string &scenario)
    {
        const Outcome o =
            run("trace --format " + format + " -o " + name + " " + kSource + scenario);

        ASSERT_EQ(o.status, 0) << o.err;
    }
    void write(const std::string &name, const std::string &bytes)
    {
        std::ofstream(temp.file(name), std::ios::binary) << bytes;
    }
    void agrees(const std::string &file, const std::vector<std::string> &rows)
    {
        const Outcome o = run("check " + file);

        EXPECT_EQ(o.status, 0) << o.out << o.err;
        EXPECT_FALSE(has(o.out, "DISAGREES")) << o.out;
        EXPECT_EQ(o.out.find("what "), o.out.rfind("what ")) << o.out;
        for (const std::string &row : rows)
            EXPECT_TRUE(has(o.out, "\n" + row + "  ")) << row << " in " << o.out;
    }
    // A row of this kind disagrees, and says which.
    void disagrees(const std::string &file, const std::string &row, const std::string &why,
                   bool missing, bool too_many)
    {
        const Outcome o = run("check " + file);
        std::string found;

        EXPECT_EQ(o.status, 1) << why << o.out << o.err;
        std::istringstream lines(o.out);
        for (std::string line; std::getline(lines, line);)
            if (line.rfind(row + "  ", 0) == 0 && has(line, " DISAGREES "))
                found += line;
        EXPECT_NE(found, "") << row << " of " << why << ": " << o.out;
        EXPECT_EQ(has(found, "missing: "), missing) << why << ": " << found;
        EXPECT_EQ(has(found, "is not in the truth") || has(found, " is there 2 times"), too_many)
            << why << ": " << found;
    }
};

// ---- CTF ----

// The first packet of a stream whose events are all of one size.
class Packet
{
  public:
    Packet(std::string bytes, size_t event_bytes) : bytes_(std::move(bytes)), event_(event_bytes) {}

    static constexpr size_t kInstance = 72, kEvents = 76; // bytes in the packet
    static constexpr size_t kTime = 2, kFields = 10;      // in an event

    const std::string &bytes() const
    {
        return bytes_;
    }
    size_t events() const
    {
        return (get(kContent) / 8 - kEvents) / event_;
    }
    size_t at(size_t event) const
    {
        return kEvents + event * event_;
    }
    void flip(size_t offset)
    {
        bytes_.at(offset) = static_cast<char>(bytes_.at(offset) ^ 1);
    }
    // One whose time may be a cycle later: the next one's is.
    size_t movable() const
    {
        size_t event = 0;

        while (event + 1 < events() && time(event + 1) == time(event))
            event++;
        return event;
    }
    void later(size_t event)
    {
        put(at(event) + kTime, get(at(event) + kTime) + 1);
    }
    void drop(size_t event)
    {
        bytes_.erase(at(event), event_);
        grow(-8 * static_cast<int64_t>(event_));
    }
    void twice(size_t event)
    {
        bytes_.insert(at(event), bytes_.substr(at(event), event_));
        grow(8 * static_cast<int64_t>(event_));
    }

  private:
    static constexpr size_t kContent = 48, kPacket = 56; // their sizes in bits

    uint64_t time(size_t event) const
    {
        return get(at(event) + kTime);
    }
    uint64_t get(size_t offset) const
    {
        uint64_t value = 0;

        for (size_t i = 8; i-- > 0;)
            value = value << 8 | static_cast<uint8_t>(bytes_.at(offset + i));
        return value;
    }
    void put(size_t offset, uint64_t value)
    {
        for (size_t i = 0; i < 8; i++)
            bytes_.at(offset + i) = static_cast<char>(value >> (8 * i));
    }
    void grow(int64_t bits)
    {
        put(kContent, get(kContent) + static_cast<uint64_t>(bits));
        put(kPacket, get(kPacket) + static_cast<uint64_t>(bits));
    }

    std::string bytes_;
    size_t event_;
};

// The fields of a kind's events, by their bytes (traces/families.h).
struct Kind {
    const char *row, *scenario, *stream, *instance;
    std::vector<size_t> fields;
};

const Kind kKinds[] = {
    {"states", "pmcu", "pmcu.state", "", {8, 1}},
    {"subsamples", "pmcu", "pmcu.subsamples", nullptr, {8, 8, 4}},
    {"accesses", "pmcu", "pmcu.registers", "", {1, 8, 8, 1, 1}},
    {"accesses", "uncore", "uncore_link.registers", "", {1, 8, 8, 1, 1}},
    {"transfers", "pmcu", "bus.cpu", "", {8, 8, 1, 8, 4, 1}},
    {"loads", "riscv", "bus.hart_1_load", "", {4, 1}},
    {"software", "uncore", "cpu_1.software", "", {8, 1}},
    {"software", "riscv", "hart_0.software", "", {8, 1}},
    {"interrupts", "riscv", "hart_0.LCOFI_to_S", "", {8, 1}},
    {"csrs", "riscv", "hart_1.csrs", "", {1, 2, 8, 1}},
    {"samples", "riscv", "hart_0.samples", "", {2, 2, 8, 4, 8, 1}},
    {"postings", "imc", "nest.postings_of_group_1", "", {8, 8, 8, 4, 1}},
    {"records", "imc", "cpu_0.records", "", {1, 8, 8, 8}},
    {"states", "imc", "nest.state", "", {8, 1}},
};

// Parts of the golden scenarios are enough.
std::string scenario_of(const std::string &name)
{
    const std::string cut = name == "imc"     ? " --set limit_cycles=2330000"
                            : name == "riscv" ? " --set limit_cycles=400000"
                                              : "";

    return "traces/" + name + "/scenario.yaml" + cut;
}

} // namespace

TEST_F(TimelineRows, AllAgreeInScenariosOfEveryFamily)
{
    const std::vector<std::string> always = {"transfers", "transfer sums", "loads", "software",
                                             "software ns"};
    static const struct {
        const char *scenario;
        std::vector<std::string> rows;
    } cases[] = {
        {"configs/pmcu/pmcu_demo.yaml",
         {"windows", "blind", "counts", "subsamples", "states", "interrupts", "accesses"}},
        {"configs/pmcu/pmcu_faults.yaml", {"windows", "subsamples", "states", "accesses"}},
        {"configs/imc/imc_core.yaml", {"states", "accesses"}},
        {"configs/imc/imc_nest.yaml", {"postings", "states", "accesses"}},
        {"configs/imc/imc_pair_pmi.yaml", {}},
        {"configs/riscv/riscv_guest.yaml", {"interrupts", "csrs", "samples", "software cycles"}},
        // a cycle is 1.6 ns
        {"configs/riscv/riscv_guest.yaml --set bus.clock_mhz=625 --set harts.timebase_mhz=5",
         {"interrupts", "csrs", "samples", "software cycles"}},
        {"configs/uncore/uncore_throttle.yaml --set limit_cycles=4000000", {"accesses"}},
        {"configs/all/everything.yaml",
         {"windows", "blind", "counts", "subsamples", "states", "interrupts", "accesses", "csrs",
          "samples", "records", "postings", "software cycles"}},
    };

    for (const auto &c : cases)
        for (const std::string &format : kFormats) {
            SCOPED_TRACE(c.scenario + (" " + format));
            make("t", format, c.scenario);
            std::vector<std::string> rows = c.rows;
            if (!has(c.scenario, "pmi"))
                rows.insert(rows.end(), always.begin(), always.end());
            agrees("t", rows);
            std::filesystem::remove_all(temp.path() / "t");
            std::filesystem::remove_all(temp.path() / "t.truth");
        }
}

// What is open when a run is cut, or ends after errors of the hardware, ends there.
TEST_F(TimelineRows, OfRunsThatAreCutOrFail)
{
    for (const std::string scenario :
         {"configs/pmcu/pmcu_demo.yaml --set limit_cycles=70000",
          "configs/pmcu/pmcu_demo.yaml --set limit_cycles=1",
          "configs/all/everything.yaml --set limit_cycles=123456",
          "configs/riscv/riscv_guest.yaml --set limit_cycles=200001",
          "configs/imc/imc_nest.yaml --set limit_cycles=3000100",
          "configs/uncore/uncore_throttle.yaml --set limit_cycles=300000",
          "configs/pmcu/pmcu_faults.yaml --set limit_cycles=50000"})
        for (const std::string &format : kFormats) {
            SCOPED_TRACE(scenario + " " + format);
            make("t", format, scenario);
            agrees("t", {"software ns"});
            std::filesystem::remove_all(temp.path() / "t");
            std::filesystem::remove_all(temp.path() / "t.truth");
        }
}

TEST_F(TimelineRows, WithoutRowsInTheTruthTheSumsAreCompared)
{
    for (const std::string &format : kFormats) {
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
        make("t", format, "configs/pmcu/pmcu_demo.yaml --set keep.samples_truth=false");
        agrees("t", {"windows", "blind", "subsamples", "transfer sums", "software ns"});
        const std::string out = run("check t").out;
        for (const char *row : {"states", "accesses", "transfers", "loads"})
            EXPECT_FALSE(has(out, std::string("\n") + row + "  ")) << out;
        EXPECT_EQ(has(out, "\nload sums "), format == "ctf");
    }
}

TEST_F(TimelineRows, FindEveryChangeInCtf)
{
    for (const std::string scenario : {"pmcu", "uncore", "riscv", "imc"})
        make(scenario, "ctf", scenario_of(scenario));
    for (const Kind &k : kKinds) {
        const std::string file = std::string(k.scenario) + "/" + k.stream, good = temp.read(file);
        size_t bytes = Packet::kFields;
        for (size_t field : k.fields)
            bytes += field;
        const Packet packet(good, bytes);
        ASSERT_GT(packet.events(), 0u) << file;
        const size_t event = packet.events() / 2;
        const auto expect = [&](const Packet &bad, const std::string &why, bool missing,
                                bool too_many) {
            write(file, bad.bytes());
            disagrees(k.scenario, k.row, file + ", " + why, missing, too_many);
        };

        for (size_t i = 0, at = Packet::kFields; i < k.fields.size(); at += k.fields[i++]) {
            Packet bad = packet;

            bad.flip(bad.at(event) + at);
            expect(bad, "field " + std::to_string(i), true, true);
        }
        Packet later = packet, dropped = packet, twice = packet, other = packet;
        later.later(packet.movable());
        expect(later, "time", true, true);
        dropped.drop(event);
        expect(dropped, "dropped", true, false);
        twice.twice(event);
        expect(twice, "twice", false, true);
        other.flip(Packet::kInstance);
        if (k.instance != nullptr)
            expect(other, "of another instance", true, true);
        write(file, good);
    }
    for (const std::string scenario : {"pmcu", "uncore", "riscv", "imc"})
        agrees(scenario, {"transfers"});
}

// ---- Trace Event JSON ----

namespace
{

// The value of a key in a line of the file: its begin and end, without quotes.
std::pair<size_t, size_t> value_of(const std::string &line, const std::string &key)
{
    const size_t at = line.find("\"" + key + "\":");
    size_t from = at + key.size() + 3;

    EXPECT_NE(at, std::string::npos) << key << " in " << line;
    from += line.at(from) == '"';
    return {from, line.find_first_of("\",}", from)};
}

std::string changed(const std::string &line, const std::string &key)
{
    const auto [from, to] = value_of(line, key);
    std::string bad = line;

    if (key == "ts" || key == "dur") {
        char text[32];

        std::snprintf(text, sizeof text, "%.3f", std::stod(line.substr(from, to - from)) + 0.001);
        return bad.replace(from, to - from, text);
    }
    bad.at(to - 1) = bad.at(to - 1) == '1' ? '2' : '1';
    return bad;
}

// What tells an event of a kind from all others, and the keys whose value is compared.
struct Event {
    const char *row, *scenario, *mark;
    std::vector<std::string> keys;
};

const Event kEvents[] = {
    {"windows", "pmcu", "\"name\":\"window\"", {"ts", "dur", "cycles", "subsample", "pid"}},
    {"blind", "pmcu", "\"name\":\"blind\"", {"ts", "dur", "cycles", "pid"}},
    {"counts", "pmcu", "\"count\":83991", {"ts", "count", "name", "pid"}},
    {"subsamples", "pmcu", "\"name\":\"subsample\"", {"ts", "number", "addr", "bytes"}},
    {"states", "pmcu", "\"state\":\"WAIT\"", {"ts", "dur", "cycles", "state", "pid"}},
    {"interrupts", "pmcu", "\"name\":\"interrupt\",", {"ts", "dur", "cycles", "line", "pid"}},
    {"accesses", "pmcu", "\"offset\":", {"ts", "direction", "offset", "value", "bytes", "resp"}},
    {"transfers",
     "pmcu",
     "\"grant\":",
     {"ts", "dur", "cycles", "grant", "direction", "addr", "bytes", "resp", "tid"}},
    {"loads", "pmcu", "\"percent\":", {"ts", "percent", "name"}},
    {"accesses",
     "uncore",
     "\"offset\":",
     {"ts", "direction", "offset", "value", "bytes", "resp", "pid"}},
    {"software", "uncore", "\"who\":", {"ts", "dur", "cycles", "who", "pid"}},
    {"software", "riscv", "\"who\":\"kernel\"", {"ts", "dur", "cycles", "who", "pid"}},
    {"interrupts", "riscv", "\"name\":\"interrupt\",", {"ts", "dur", "cycles", "line", "pid"}},
    {"csrs", "riscv", "\"csr\":", {"ts", "direction", "csr", "value", "exception"}},
    {"samples", "riscv", "\"ip\":", {"ts", "command", "event", "ip", "period", "lost"}},
    {"postings",
     "imc",
     "\"name\":\"posting\"",
     {"ts", "dur", "cycles", "number", "addr", "bytes", "resp", "tid"}},
    {"records", "imc", "\"snapshot\":", {"ts", "result", "snapshot", "number", "addr", "pid"}},
    {"states", "imc", "\"state\":", {"ts", "dur", "cycles", "state", "pid"}},
};

} // namespace

TEST_F(TimelineRows, FindEveryChangeInTraceEvents)
{
    for (const std::string scenario : {"pmcu", "uncore", "riscv", "imc"})
        make(scenario, "perfetto", scenario_of(scenario));
    for (const Event &e : kEvents) {
        const std::string good = temp.read(e.scenario);
        const size_t mark = good.find(e.mark);
        ASSERT_NE(mark, std::string::npos) << e.scenario << e.mark;
        const size_t from = good.rfind('\n', mark) + 1, to = good.find('\n', mark) + 1;
        const std::string line = good.substr(from, to - from);
        const auto expect = [&](const std::string &instead, const std::string &why, bool missing,
                                bool too_many) {
            write(e.scenario, std::string(good).replace(from, to - from, instead));
            disagrees(e.scenario, e.row, why + " of " + line, missing, too_many);
        };

        for (const std::string &key : e.keys)
            expect(changed(line, key), key, true, true);
        if (has(line, "\"args\":{\"cycles\"") && !has(line, "grant") && !has(line, "posting")) {
            write(e.scenario, std::string(good).replace(from, to - from, changed(line, "tid")));
            disagrees(e.scenario, "tracks", "tid of " + line, false, true);
        }
        expect("", "absence", true, false);
        expect(line + line, "repetition", false, true);
        write(e.scenario, good);
    }
    for (const std::string scenario : {"pmcu", "uncore", "riscv", "imc"})
        agrees(scenario, {"transfers"});
}

// An event that no kind of ours is must not be there.
TEST_F(TimelineRows, FindWhatIsOfNoKind)
{
    make("j", "perfetto", scenario_of("uncore"));
    std::string bad = temp.read("j");
    const size_t at = bad.find("{\"ph\":\"X\"");

    ASSERT_NE(at, std::string::npos);
    bad.insert(at,
               "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"name\":\"surprise\",\"ts\":1,\"s\":\"t\"},\n");
    write("j", bad);
    disagrees("j", "other events", "an event too many", false, true);

    make("c", "ctf", scenario_of("uncore"));
    std::string metadata = temp.read("c/metadata");
    const size_t name = metadata.find("name = \"access\"");
    ASSERT_NE(name, std::string::npos);
    write("c/metadata", metadata.replace(name, 15, "name = \"acces5\""));
    disagrees("c", "other events", "a name", false, true);
    disagrees("c", "accesses", "a name", true, false);
}
