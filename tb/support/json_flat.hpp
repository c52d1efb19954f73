// SPDX-License-Identifier: Apache-2.0
// A JSON file as a flat map, by Python's parser: "events.0.name" -> "INST_RETIRED".
#ifndef CS_TB_SUPPORT_JSON_FLAT_HPP
#define CS_TB_SUPPORT_JSON_FLAT_HPP

#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

namespace cs_test
{

// Throws where the file is not JSON.
inline std::map<std::string, std::string> json_flat(const std::string &path)
{
    const std::string command =
        "python3 -c '\n"
        "import json, sys\n"
        "def walk(at, v):\n"
        "    if isinstance(v, dict): v = v.items()\n"
        "    elif isinstance(v, list): v = enumerate(v)\n"
        "    else: print(at + \"\\t\" + (v if isinstance(v, str) else repr(v))); return\n"
        "    for k, x in v: walk(at + \".\" + str(k) if at else str(k), x)\n"
        "walk(\"\", json.load(open(sys.argv[1])))\n"
        "' '" +
        path + "'";
    std::map<std::string, std::string> result;
    FILE *pipe = popen(command.c_str(), "r");
    char line[4096];

    if (pipe == nullptr)
        throw std::runtime_error("cannot run python3");
    while (fgets(line, sizeof line, pipe) != nullptr) {
        std::string text = line;
        const size_t tab = text.find('\t');

        text.pop_back();
        result[text.substr(0, tab)] = text.substr(tab + 1);
    }
    if (pclose(pipe) != 0)
        throw std::runtime_error(path + " is not JSON");
    return result;
}

} // namespace cs_test

#endif
