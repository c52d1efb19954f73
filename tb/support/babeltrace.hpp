// SPDX-License-Identifier: Apache-2.0
// A CTF trace as babeltrace2 reads it: its events in order of time, with every field as text.
#ifndef CS_TB_SUPPORT_BABELTRACE_HPP
#define CS_TB_SUPPORT_BABELTRACE_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace cs_test
{

struct CtfEvent {
    uint64_t cycle = 0;
    std::string name;
    std::map<std::string, std::string> context; // of the packet: "cpu_id" -> "3"
    std::map<std::string, std::string> labels;  // of numbers in it that have a name
    std::map<std::string, std::string> fields;  // texts unescaped, enumerations as their name

    uint64_t number(const std::string &field) const
    {
        const auto found = fields.find(field);

        if (found == fields.end())
            throw std::runtime_error(name + " has no field " + field);
        return std::stoull(found->second, nullptr, 0);
    }
    std::string text(const std::string &field) const
    {
        const auto found = fields.find(field);

        return found == fields.end() ? "(no " + field + ")" : found->second;
    }
};

struct CtfReading {
    std::string text;     // all that babeltrace2 printed
    std::string warnings; // and on its second output: must be empty
    int exit_code = 0;
};

inline std::string file_text(const std::string &path)
{
    std::string text;
    char buffer[65536];
    FILE *file = std::fopen(path.c_str(), "rb");

    if (file == nullptr)
        throw std::runtime_error("cannot open " + path);
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) != 0;)
        text.append(buffer, n);
    std::fclose(file);
    return text;
}

// `options`: as "-c sink.text.details".
inline CtfReading babeltrace(const std::string &folder, const std::string &options)
{
    const std::string out = folder + ".babeltrace.out", err = folder + ".babeltrace.err";
    const std::string command =
        "babeltrace2 " + options + " '" + folder + "' >'" + out + "' 2>'" + err + "' </dev/null";
    const int status = std::system(command.c_str());
    CtfReading reading = {file_text(out), file_text(err), -1};

    if (status != -1 && WIFEXITED(status))
        reading.exit_code = WEXITSTATUS(status);
    std::remove(out.c_str());
    std::remove(err.c_str());
    return reading;
}

// Reads `{ a = 1, b = "x, }", c = ( "OKAY" : container = 0 ) }` from `at` on, which goes behind it.
// With `labels` an enumeration is its number, and its name goes there.
inline std::map<std::string, std::string>
ctf_fields(const std::string &line, size_t &at,
           std::map<std::string, std::string> *labels = nullptr)
{
    std::map<std::string, std::string> fields;
    const auto expect = [&](const char *what) {
        const std::string text = what;

        if (line.compare(at, text.size(), text) != 0)
            throw std::runtime_error("no '" + text + "' at " + std::to_string(at) + " of " + line);
        at += text.size();
    };
    const auto quoted = [&] {
        std::string value;

        for (at++; line.at(at) != '"'; at++) {
            if (line[at] != '\\') {
                value += line[at];
                continue;
            }
            const char c = line.at(++at);
            value += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        at++;
        return value;
    };

    expect("{ ");
    for (;;) {
        const size_t equal = line.find(" = ", at);
        if (equal == std::string::npos)
            throw std::runtime_error("no value at " + std::to_string(at) + " of " + line);
        const std::string field = line.substr(at, equal - at);
        std::string &value = fields[field];

        at = equal + 3;
        if (line.at(at) == '"') {
            value = quoted();
        } else if (line[at] == '(') {
            const size_t label = at + 2;
            const size_t number = line.find(" : container = ", at) + 15;
            const size_t end = line.find(' ', number);

            if (line.at(label) == '"') {
                at = label;
                value = quoted();
            } else { // <unknown>
                value = "?" + line.substr(number, end - number);
            }
            if (labels != nullptr) {
                (*labels)[field] = value;
                value = line.substr(number, end - number);
            }
            at = line.find(" : container = ", at);
            at = line.find(" )", at) + 2;
        } else {
            const size_t end = line.find_first_of(", ", at);

            value = line.substr(at, end - at);
            at = end;
        }
        if (line.compare(at, 2, ", ") != 0)
            break;
        at += 2;
    }
    expect(" }");
    return fields;
}

inline std::vector<CtfEvent> ctf_events(const std::string &text)
{
    std::vector<CtfEvent> events;

    for (size_t begin = 0; begin < text.size();) {
        const size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        const size_t context = line.find(": { ");
        CtfEvent event;
        size_t at = context + 2;

        if (line[0] != '[' || line.compare(21, 2, "] ") != 0 || context == std::string::npos)
            throw std::runtime_error("not an event: " + line);
        event.cycle = std::stoull(line.substr(1, 20));
        event.name = line.substr(23, context - 23);
        event.context = ctf_fields(line, at, &event.labels);
        at += 2;
        event.fields = ctf_fields(line, at);
        events.push_back(std::move(event));
        begin = end + 1;
    }
    return events;
}

// Throws where babeltrace2 fails or says anything but events.
inline std::vector<CtfEvent> ctf_read(const std::string &folder)
{
    const CtfReading reading = babeltrace(folder, "--clock-cycles --no-delta");

    if (reading.exit_code != 0 || !reading.warnings.empty())
        throw std::runtime_error("babeltrace2 exits " + std::to_string(reading.exit_code) + ": " +
                                 reading.warnings);
    return ctf_events(reading.text);
}

} // namespace cs_test

#endif
