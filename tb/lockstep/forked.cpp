// SPDX-License-Identifier: Apache-2.0
#include "forked.hpp"

#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario/load.h"

static Outcome compare_here(const std::string &text, const std::string &folder, cs_cycle limit)
{
    Outcome outcome = {};
    cs_diag diag = {};
    cs_scenario *scenario = nullptr;
    cs_compare_options options = {};

    options.limit_cycles = limit;
    outcome.status = cs_scenario_parse(text.data(), text.size(), "scenario", folder.c_str(),
                                       nullptr, 0, &scenario, &diag);
    if (outcome.status == CS_OK)
        outcome.status = cs_compare(scenario, &options, &outcome.report, &diag);
    if (outcome.status != CS_OK)
        cs_diag_print(&diag, outcome.text, sizeof outcome.text);
    if (outcome.report.field != nullptr)
        snprintf(outcome.field, sizeof outcome.field, "%s", outcome.report.field);
    cs_scenario_destroy(scenario);
    return outcome;
}

Outcome compare_forked(const std::string &text, const std::string &folder, cs_cycle limit)
{
    Outcome outcome = {};
    int fds[2];

    outcome.status = CS_ERR_IO;
    snprintf(outcome.text, sizeof outcome.text, "the comparing process died");
    if (pipe(fds) != 0)
        return outcome;
    pid_t child = fork();
    if (child == 0) {
        Outcome mine = compare_here(text, folder, limit);
        ssize_t written = write(fds[1], &mine, sizeof mine);

        _exit(written == sizeof mine ? 0 : 1);
    }
    close(fds[1]);
    size_t got = 0;
    Outcome received = {};
    while (got < sizeof received) {
        ssize_t n = read(fds[0], reinterpret_cast<char *>(&received) + got, sizeof received - got);

        if (n <= 0)
            break;
        got += static_cast<size_t>(n);
    }
    close(fds[0]);
    waitpid(child, nullptr, 0);
    if (got == sizeof received) {
        outcome = received;
        outcome.report.field = nullptr;
    }
    return outcome;
}

static void append_tail(std::string &out, const char *side, const cs_compare_tail &tail)
{
    char line[256];

    out += std::string("  ") + side + "\n";
    for (size_t i = 0; i < tail.count; i++)
        out += std::string("    ") + cs_probe_print(&tail.records[i], line, sizeof line) + "\n";
    if (!tail.has_record)
        out += "    (no further record)\n";
}

std::string describe(const Outcome &o)
{
    std::string out = o.text;

    out += "\n  outcome " + std::to_string(o.report.what) + " at cycle " +
           std::to_string(o.report.cycle) + ", field " + o.field + ": model " +
           std::to_string(o.report.model_value) + ", RTL " + std::to_string(o.report.rtl_value) +
           "\n";
    append_tail(out, "model", o.report.model);
    append_tail(out, "RTL", o.report.rtl);
    return out;
}
