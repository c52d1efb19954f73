// SPDX-License-Identifier: Apache-2.0
// countersink check of a trace that the command itself has written, and of one changed number in it.
#ifndef CS_TB_CLI_CHECK_HPP
#define CS_TB_CLI_CHECK_HPP

#include <algorithm>
#include <cstdint>

#include "shell.hpp"
#include "support/configs.hpp"

namespace check_command
{

using namespace cs_test;

struct Check : Command {
    void trace(const std::string &name, const std::string &scenario,
               const std::string &options = "")
    {
        const Outcome o = run("trace --format perf " + options + " -o " + name + " '" +
                              config_path(scenario) + "'");

        ASSERT_EQ(o.status, 0) << o.err;
    }
    void agrees(const std::string &arguments)
    {
        const Outcome o = run("check " + arguments);

        EXPECT_EQ(o.status, 0) << arguments << o.out << o.err;
        EXPECT_TRUE(has(o.out, "agrees")) << o.out;
        EXPECT_FALSE(has(o.out, "DISAGREES"));
    }
    void disagrees(const std::string &arguments, const std::string &what)
    {
        const Outcome o = run("check " + arguments);

        EXPECT_EQ(o.status, 1) << arguments << what << o.out << o.err;
        EXPECT_TRUE(has(o.out, "DISAGREES")) << arguments << what << o.out;
        EXPECT_TRUE(has(o.err, "comparisons disagree with the truth")) << o.err;
    }
    // A file like another, but for a number of `bytes` bytes, little endian, which is `by` more.
    void change(const std::string &from, const std::string &to, size_t at, int64_t by,
                unsigned bytes = 8)
    {
        std::string text = temp.read(from);
        uint64_t value = 0;

        ASSERT_LE(at + bytes, text.size());
        for (unsigned i = bytes; i-- > 0;)
            value = value << 8 | static_cast<uint8_t>(text[at + i]);
        value += static_cast<uint64_t>(by);
        for (unsigned i = 0; i < bytes; i++)
            text[at + i] = static_cast<char>(value >> (8 * i));
        temp.write(to, text);
    }
    // The byte at which the nth record of a type stands.
    size_t place(const std::string &file, const std::string &type, unsigned nth)
    {
        const Outcome o = run("decode -f csv --only " + type + " " + file);
        size_t line = o.out.find('\n') + 1;

        while (nth-- > 0)
            line = o.out.find('\n', line) + 1;
        return std::stoull(o.out.substr(line), nullptr, 16);
    }
    // Records of a type, without the bytes at which they stand.
    std::string records(const std::string &type, const std::string &file)
    {
        const std::string rows = run("decode -f csv --only " + type + " " + file).out;
        std::string result;

        for (size_t line = 0; line < rows.size(); line = rows.find('\n', line) + 1)
            result +=
                rows.substr(rows.find(',', line), rows.find('\n', line) - rows.find(',', line)) +
                "\n";
        return result;
    }
    // Samples of different CPUs may change places: files are in no common order.
    void finds_lost_records(const std::string &file, const std::string &truth)
    {
        for (const char *kind : {"drop", "duplicate"})
            for (unsigned seed = 1; seed <= 8; seed++) {
                const Outcome o = run("damage --kind " + std::string(kind) + " --seed " +
                                      std::to_string(seed) + " -o damaged " + file);

                ASSERT_EQ(o.status, 0) << o.err;
                // Only samples are in the truth: a lost COMM is not seen here.
                if (records("sample", "damaged") != records("sample", file)) {
                    const Outcome found = run("check -t " + truth + " damaged");

                    EXPECT_TRUE(found.status == 1 || found.status == 2) << o.out << found.out;
                }
                std::filesystem::remove(temp.path() / "damaged");
            }
    }
};

} // namespace check_command

#endif
