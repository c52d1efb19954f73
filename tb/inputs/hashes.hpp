// SPDX-License-Identifier: Apache-2.0
// A file of hashes: a line is a name, how many inputs there were, and the hash of what was said of them.
#ifndef CS_TB_INPUTS_HASHES_HPP
#define CS_TB_INPUTS_HASHES_HPP

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

class Hashes
{
  public:
    // Below the root of the source tree.
    explicit Hashes(const std::string &name) : path_(std::string(CS_SOURCE_DIR "/") + name) {}

    // That the file says so; with CS_WRITE_GENERATED it is made to.
    void expect(const std::string &name, size_t inputs, uint64_t hash) const
    {
        auto lines = read();
        char line[64];

        std::snprintf(line, sizeof line, "%zu %016llx", inputs,
                      static_cast<unsigned long long>(hash));
        if (std::getenv("CS_WRITE_GENERATED") != nullptr) {
            lines[name] = line;
            write(lines);
        }
        EXPECT_EQ(lines[name], line) << "where that is meant, CS_WRITE_GENERATED=1 writes it anew";
    }

  private:
    std::map<std::string, std::string> read() const
    {
        std::map<std::string, std::string> lines;
        std::ifstream file(path_);
        std::string name, line;

        while (file >> name && std::getline(file, line))
            lines[name] = line.substr(1);
        return lines;
    }

    void write(const std::map<std::string, std::string> &lines) const
    {
        std::ofstream file(path_);

        for (const auto &[name, line] : lines)
            file << name << " " << line << "\n";
    }

    const std::string path_;
};

#endif
