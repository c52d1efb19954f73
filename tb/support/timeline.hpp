// SPDX-License-Identifier: Apache-2.0
// A timeline (Trace Event JSON) as Python's parser reads it, held to the rules of its viewers.
#ifndef CS_TB_SUPPORT_TIMELINE_HPP
#define CS_TB_SUPPORT_TIMELINE_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/babeltrace.hpp"

namespace cs_test
{

struct TimelineEvent {
    std::string phase; // "X", "i", "C"; "fact": one of the whole timeline, in name and args[""]
    std::string group;
    std::string track; // "" of a counter
    std::string name;
    uint64_t ns = 0;
    uint64_t duration_ns = 0;
    std::map<std::string, std::string> args;
};

inline std::string timeline_text(const std::string &text)
{
    std::string result;

    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            i++;
            result += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
        } else {
            result += text[i];
        }
    }
    return result;
}

inline std::vector<std::string> timeline_parts(const std::string &text, char at)
{
    std::vector<std::string> parts;
    std::istringstream in(text);

    for (std::string part; std::getline(in, part, at);)
        parts.push_back(part);
    return parts;
}

// `source`: the project's folder. Throws where the file breaks a rule.
inline std::vector<TimelineEvent> timeline_read(const std::string &path, const std::string &source)
{
    const std::string out = path + ".out", err = path + ".err";
    const std::string command = "python3 '" + source + "/tb/support/timeline_rules.py' '" + path +
                                "' >'" + out + "' 2>'" + err + "'";
    std::vector<TimelineEvent> events;

    if (std::system(command.c_str()) != 0)
        throw std::runtime_error(file_text(err));
    for (const std::string &line : timeline_parts(file_text(out), '\n')) {
        std::vector<std::string> f = timeline_parts(line, '\t');
        TimelineEvent e;

        f.resize(7);
        e.phase = f[0];
        e.group = timeline_text(f[1]);
        e.track = timeline_text(f[2]);
        e.name = timeline_text(f[3]);
        e.ns = std::stoull(f[4]);
        e.duration_ns = std::stoull(f[5]);
        if (e.phase == "fact")
            e.args[""] = timeline_text(f[6]);
        else
            for (const std::string &arg : timeline_parts(f[6], '\x1f'))
                e.args[timeline_text(arg.substr(0, arg.find('=')))] =
                    timeline_text(arg.substr(arg.find('=') + 1));
        events.push_back(e);
    }
    std::remove(out.c_str());
    std::remove(err.c_str());
    return events;
}

} // namespace cs_test

#endif
