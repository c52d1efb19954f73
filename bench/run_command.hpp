// SPDX-License-Identifier: Apache-2.0
// A run by the command itself, in a folder that is gone afterwards; its figures by their names in
// summary.json.
#ifndef CS_BENCH_RUN_COMMAND_HPP
#define CS_BENCH_RUN_COMMAND_HPP

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

class RunFigures
{
  public:
    explicit RunFigures(std::string json) : json_(std::move(json)) {}

    double operator[](const std::string &key) const
    {
        size_t at = json_.find("\"" + key + "\": ");

        if (at == std::string::npos)
            throw std::runtime_error("no " + key + " in summary.json");
        return std::strtod(json_.c_str() + at + key.size() + 4, nullptr);
    }

  private:
    std::string json_;
};

inline RunFigures run_command(const std::string &arguments)
{
    char folder[] = "/tmp/cs-bench-XXXXXX";

    if (mkdtemp(folder) == nullptr)
        throw std::runtime_error("no temporary folder");
    const std::string out = std::string(folder) + "/run";
    const std::string command =
        std::string(CS_COMMAND) + " run -o " + out + " " + arguments + " > /dev/null";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("failed: " + command);
    std::ifstream file(out + "/summary.json");
    std::stringstream json;
    json << file.rdbuf();
    if (std::system(("rm -rf " + std::string(folder)).c_str()) != 0)
        throw std::runtime_error("cannot remove the temporary folder");
    return RunFigures(json.str());
}

#endif
