// SPDX-License-Identifier: Apache-2.0
// All shipped lockstep scenarios together read back every register of the units, as their
// descriptions list them (`list --registers`).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lockstep/compare.h"
#include "models/imc/imc_scom.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/load.h"
#include "scenario/section_list.h"
#include "support/configs.hpp"

namespace fs = std::filesystem;

// "core EXT32 0xc80": who was read, in which map or machine, and where.
static std::string key_of(const std::string &who, const std::string &map, uint64_t addr)
{
    std::ostringstream out;

    out << who << " " << map << " 0x" << std::hex << addr;
    return out.str();
}

static std::string map_of(const cs_scenario &s, const std::string &who)
{
    if (who == "core")
        return s.corepmu->ext64 ? "EXT64" : "EXT32";
    return who == "scom" ? (s.imc->power10 ? "power10" : "power9") : "";
}

static void tell_reads(const fs::path &path, int fd)
{
    cs_compare_options options = {};
    cs_compare_report report;
    cs_scenario *scenario = nullptr;
    const cs_exercised_register *rows;
    std::string all;

    if (cs_scenario_load(path.c_str(), nullptr, 0, &scenario, nullptr) != CS_OK ||
        cs_exercise_create(&options.exercise, nullptr) != CS_OK ||
        cs_compare(scenario, &options, &report, nullptr) != CS_OK)
        _exit(1);
    for (size_t i = cs_exercise_registers(options.exercise, &rows); i-- > 0;) {
        unsigned number;
        const char *who = cs_probe_source_kind(CS_PROBE_REG, rows[i].source, &number);

        if (!rows[i].write && rows[i].errors < rows[i].times)
            all += key_of(who, map_of(*scenario, who), rows[i].addr) + "\n";
    }
    for (size_t at = 0; at < all.size();)
        at += static_cast<size_t>(write(fd, all.data() + at, all.size() - at));
    _exit(0);
}

static void add_reads(const fs::path &path, std::set<std::string> &reads)
{
    int fds[2];
    int status = 0;
    char buffer[4096];
    std::string text;

    ASSERT_EQ(pipe(fds), 0);
    const pid_t child = fork();
    if (child == 0)
        tell_reads(path, fds[1]);
    close(fds[1]);
    for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<size_t>(n));
    close(fds[0]);
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0) << path;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        reads.insert(line);
}

// Registers at offsets. Of arrays those that all scenarios' units have.
static void want_offsets(const cs_unit_page &page, std::vector<std::string> &wanted)
{
    const std::string unit = page.unit;
    const unsigned most = unit == "corepmu" ? 8 : 4;

    for (const cs_unit_register *row = page.registers; row != nullptr && row->name != nullptr;
         row++) {
        const std::string name = row->name;
        const std::string map = unit == "corepmu" ? name.substr(0, 5) : "";

        for (unsigned i = 0; i < std::min(std::max(row->count, 1u), most); i++)
            wanted.push_back(key_of(unit == "corepmu"     ? "core"
                                    : unit == "iommu_hpm" ? "iommu"
                                                          : unit,
                                    map, row->offset + i * row->stride));
    }
}

TEST(ShippedScenarios, ReadEveryRegister)
{
    std::set<std::string> reads;
    std::vector<std::string> wanted;

    for (const fs::path &path : cs_test::lockstep_configs())
        add_reads(path, reads);
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->unit != nullptr)
            want_offsets(*cs_sections[i].section->unit, wanted);
    for (unsigned power10 = 0; power10 < 2; power10++)
        for (unsigned reg = 0; reg < 7; reg++)
            wanted.push_back(key_of("scom", power10 != 0 ? "power10" : "power9",
                                    cs_imc_scom_address(power10 != 0, 0, reg)));
    EXPECT_GT(wanted.size(), 100u);
    for (const std::string &key : wanted)
        EXPECT_EQ(reads.count(key), 1u) << "no shipped lockstep scenario reads " << key;
}
