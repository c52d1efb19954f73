// SPDX-License-Identifier: Apache-2.0
// Every row of the table of keys, at the edges of its range.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document.hpp"

extern "C" {
#include "scenario/keys.h"
}

namespace
{

// A document in which every list has the elements that the paths below name.
const char *const BASE = R"(
memory:
  regions: [{base: 0, size: 1, rights: rw}]
  faults: [{base: 0, size: 1}]
workloads:
  - segments:
    - functions: [{name: f, base: 0, size: 4}]
      events: [{event: 8, rate: 1}]
corepmu: {outages: [{cpu: 1, at_us: 1, for_us: 1}]}
)";
const char *const DIES_BASE = R"(
pmcu_driver: {dies: [{sccl: 0}]}
)";

const char *const SCRIPT_BASE = R"(
software: {kind: script}
script: [{write: {at: 0, value: 0}}, {read: {at: 0}}, {delay: 1}, {wait_irq: 0}, {cpu: 0},
         {signal: 0}, {wait_signal: 0}, {lock: 0}, {unlock: 0}]
)";

const char *const IMC_BASE = R"(
imc: {cores: 1, deep_stops: [{core: 0, at_us: 1, for_us: 1}]}
imc_driver:
  perf: [{pmu: core, cpus: 0, stop_us: 2, processes: [{pid: 0}]}]
  debugfs: [{file: imc_cmd_0, value: 1, at_us: 1}]
nest: {segments: [{}], chips: [{}]}
)";

const char *const GUEST_BASE = R"(
guest: {program: {functions: [{name: f, loops: 1}]}}
)";

const char *const HART_BASE = R"(
harts: {count: 1}
riscv:
  firmware_events: [{event: fw_set_timer, every_us: 1}]
  accesses: [{csr: 0xC00, every_us: 1}]
  perf: [{events: [cycles], stop_us: 200}]
)";

const char *const UNCORE_BASE = R"(
uncore: {bridges: [{access_cycles: 1}], units: [{name: a}], partitions: [{name: p, cpus: [0]}]}
)";

const char *const UNCORE_DRIVER_BASE = R"(
software: {kind: uncore}
uncore: {bridges: [{access_cycles: 1}], units: [{name: a}]}
uncore_driver:
  perf: [{stop_us: 2, events: [{event: "uncore:1"}]}]
  hotplug: [{cpu: 1, at_us: 1}]
)";

const char *const IOMMU_BASE = R"(
iommu_hpm: {units: [{name: a, sources: [{name: b, device_id: 1, process_id: 1, gscid: 1, pscid: 1}]}]}
)";

const char *const IOMMU_DRIVER_BASE = R"(
software: {kind: iommu}
iommu_hpm: {units: [{name: a, sources: [{name: b, device_id: 1}]}]}
iommu_driver: {perf: [{stop_us: 2, events: [{event: "iommu_hpm:tlb_miss"}]}]}
)";

const char *const PERF_BASE = R"(
uncore: {bridges: [{access_cycles: 1}], units: [{name: a}]}
perf: [{stat: ["a/event=1/"], stop: 2us}]
)";

const char *const PMUS_BASE = R"(
pmus: {levels: [{name: pmu, bits: 4}], tree: [{units: [{name: a}]}]}
)";

const char *const WAYS_BASE = R"(
ways: [{name: a}, {name: b}]
)";

struct Row {
    std::string path;
    const cs_key *key;
};

std::vector<Row> rows()
{
    std::vector<Row> result;

    cs_scenario_keys(
        [](void *ctx, const char *path, const cs_key *key) {
            static_cast<std::vector<Row> *>(ctx)->push_back({path, key});
            return true;
        },
        &result);
    return result;
}

// "script[].read.at" -> "script.1.read.at", "a[].b" -> "a.0.b"
std::string element_path(std::string path)
{
    const std::pair<const char *, const char *> steps[] = {
        {"script[].write", "script.0.write"},
        {"script[].read", "script.1.read"},
        {"script[].delay", "script.2.delay"},
        {"script[].wait_irq", "script.3.wait_irq"},
        {"script[].cpu", "script.4.cpu"},
        {"script[].signal", "script.5.signal"},
        {"script[].wait_signal", "script.6.wait_signal"},
        {"script[].lock", "script.7.lock"},
        {"script[].unlock", "script.8.unlock"}};

    for (const auto &[from, to] : steps)
        if (path.rfind(from, 0) == 0)
            path.replace(0, strlen(from), to);
    for (size_t at; (at = path.find("[]")) != std::string::npos;)
        path.replace(at, 2, ".0");
    return path;
}

std::string try_value(const Row &row, const std::string &value)
{
    static const std::pair<const char *, const char *> bases[] = {
        {"script", SCRIPT_BASE},
        {"imc", IMC_BASE},
        {"nest", IMC_BASE},
        {"guest", GUEST_BASE},
        {"pmi", IMC_BASE},
        {"riscv", HART_BASE},
        {"harts", HART_BASE},
        {"way", WAYS_BASE},
        {"uncore_driver", UNCORE_DRIVER_BASE},
        {"pmcu_driver.dies[", DIES_BASE},
        {"uncore", UNCORE_BASE},
        {"iommu_hpm", IOMMU_BASE},
        {"iommu_driver", IOMMU_DRIVER_BASE},
        {"pmus", PMUS_BASE},
        {"perf", PERF_BASE},
        {"", BASE}};
    size_t i = 0;

    while (row.path.rfind(bases[i].first, 0) != 0)
        i++;
    return parse(bases[i].second, {element_path(row.path) + "=" + value}).error;
}

bool is_number(const cs_key *key)
{
    return key->type == CS_KEY_NUMBER || key->type == CS_KEY_SIZE || key->type == CS_KEY_RATE;
}

} // namespace

TEST(Keys, AreAllThere)
{
    const auto all = rows();

    EXPECT_GT(all.size(), 90u);
    for (const auto &row : all) {
        EXPECT_NE(row.key->text, nullptr) << row.path;
        EXPECT_NE(row.key->unit, nullptr) << row.path;
        EXPECT_LE(row.key->min, row.key->max) << row.path;
        if (row.key->type == CS_KEY_CHOICE) {
            EXPECT_NE(row.key->choices, nullptr) << row.path;
        }
    }
}

TEST(Keys, NumbersAreTakenAtBothEdgesAndRefusedBeyond)
{
    for (const auto &row : rows()) {
        if (!is_number(row.key))
            continue;
        const std::string own = element_path(row.path) + ": ";
        const uint64_t min = row.key->min, max = row.key->max;

        // Whatever other keys say to an extreme value, the key's own range is content.
        for (uint64_t value : {min, max})
            EXPECT_EQ(try_value(row, std::to_string(value))
                          .find(" is outside " + std::to_string(min) + ".."),
                      std::string::npos)
                << row.path << " " << value << ": " << try_value(row, std::to_string(value));

        if (max != UINT64_MAX) {
            const std::string error = try_value(row, std::to_string(max + 1));
            EXPECT_NE(error.find(own + std::to_string(max + 1) + " is outside "), std::string::npos)
                << row.path << ": " << error;
        }
        const std::string below = min > 0 ? std::to_string(min - 1) : "-1";
        const std::string error = try_value(row, below);
        EXPECT_NE(error.find(own + below + " is outside "), std::string::npos)
            << row.path << ": " << error;
        EXPECT_NE(try_value(row, "99999999999999999999").find(" is outside "), std::string::npos)
            << row.path;
    }
}

TEST(Keys, EveryDefaultIsAValueOfItsKey)
{
    for (const auto &row : rows()) {
        if (row.key->fallback == nullptr || row.key->fallback[0] == '=')
            continue;
        const std::string error = try_value(row, row.key->fallback);
        EXPECT_EQ(error.find(" is not "), std::string::npos) << row.path << ": " << error;
        EXPECT_EQ(error.find(" is outside "), std::string::npos) << row.path << ": " << error;
    }
}

TEST(Keys, AnotherTypeIsRefusedEverywhere)
{
    for (const auto &row : rows()) {
        const bool takes_list = row.key->type == CS_KEY_LIST || row.key->type == CS_KEY_CPUS ||
                                row.key->type == CS_KEY_USER_EVENTS ||
                                row.key->type == CS_KEY_NAMES || row.key->type == CS_KEY_CHOICES;

        for (const char *value : {"[[]]", "{a: {}}"}) {
            const std::string error = try_value(row, value);

            EXPECT_NE(error.find(element_path(row.path)), std::string::npos)
                << row.path << " " << value << ": " << error;
        }
        if (!takes_list) {
            EXPECT_NE(try_value(row, "[]").find("a list is not "), std::string::npos) << row.path;
        }
        if (row.key->type != CS_KEY_NAME && row.key->type != CS_KEY_LABEL) { // a catalog is opened
            EXPECT_NE(try_value(row, "surely-not"), "") << row.path;
        }
        if (is_number(row.key) || row.key->type == CS_KEY_FLAG) {
            EXPECT_NE(try_value(row, "'1'").find("\"1\" is not "), std::string::npos) << row.path;
        }
    }
}

TEST(Keys, ChoicesTakeEachOfTheirWords)
{
    for (const auto &row : rows()) {
        if (row.key->type != CS_KEY_CHOICE)
            continue;
        for (const cs_key_choice *c = row.key->choices; c->name != nullptr; c++)
            EXPECT_EQ(try_value(row, c->name).find("is not one of"), std::string::npos)
                << row.path << " " << c->name;
    }
}

TEST(Keys, MultiplesAreChecked)
{
    for (const auto &row : rows()) {
        if (!is_number(row.key) || row.key->step <= 1)
            continue;
        const std::string value = std::to_string(row.key->min + row.key->step + 1);
        EXPECT_NE(try_value(row, value)
                      .find(value + " is not a multiple of " + std::to_string(row.key->step)),
                  std::string::npos)
            << row.path;
    }
}

TEST(Keys, ListsAreBoundedAtBothEnds)
{
    for (const auto &row : rows()) {
        if (row.key->type != CS_KEY_LIST)
            continue;
        std::string many = "[";
        for (uint64_t i = 0; i <= row.key->max; i++)
            many += "{},";
        EXPECT_NE(try_value(row, many + "]").find(std::to_string(row.key->max + 1) + " elements"),
                  std::string::npos)
            << row.path;
        if (row.key->min > 0) {
            EXPECT_NE(try_value(row, "[]").find("0 elements"), std::string::npos) << row.path;
        }
    }
}
