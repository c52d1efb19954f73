// SPDX-License-Identifier: Apache-2.0
// Device trees made by libfdt, and a catalog to begin with that tests change and damage.
#ifndef CS_TB_FORMATS_IMC_TREE_HPP
#define CS_TB_FORMATS_IMC_TREE_HPP

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <libfdt.h>

#include "formats/imc/catalog/catalog.h"

namespace cs_test
{

inline std::string cells(std::initializer_list<uint32_t> numbers)
{
    std::string bytes;

    for (uint32_t number : numbers)
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
}

inline std::string text(const std::string &value)
{
    return value + '\0';
}

struct Node {
    std::string name;
    std::vector<std::pair<std::string, std::string>> properties; // name, bytes
    std::vector<Node> nodes;

    Node &set(const std::string &property, const std::string &bytes)
    {
        for (auto &p : properties)
            if (p.first == property) {
                p.second = bytes;
                return *this;
            }
        properties.emplace_back(property, bytes);
        return *this;
    }
    Node &drop(const std::string &property)
    {
        for (size_t i = 0; i < properties.size(); i++)
            if (properties[i].first == property)
                properties.erase(properties.begin() + static_cast<long>(i));
        return *this;
    }
    Node &add(Node node)
    {
        nodes.push_back(std::move(node));
        return nodes.back();
    }
    // "imc-counters/core@18"
    Node &at(const std::string &path)
    {
        const size_t slash = path.find('/');

        for (Node &node : nodes)
            if (node.name == path.substr(0, slash))
                return slash == std::string::npos ? node : node.at(path.substr(slash + 1));
        throw std::out_of_range(path);
    }
};

inline Node event(uint32_t offset, const std::string &name)
{
    char address[16];

    snprintf(address, sizeof address, "event@%x", offset);
    return {address, {{"event-name", text(name)}, {"reg", cells({offset, 8})}}, {}};
}

inline Node list(const std::string &name, uint32_t phandle, std::vector<Node> events)
{
    return {name, {{"phandle", cells({phandle})}}, std::move(events)};
}

inline Node unit(const std::string &node, uint32_t type, uint32_t reg, uint32_t size,
                 uint32_t phandle, const std::string &prefix)
{
    char address[16];

    snprintf(address, sizeof address, "@%x", reg);
    return {node + address,
            {{"compatible", text("ibm,imc-counters")},
             {"type", cells({type})},
             {"reg", cells({reg, 8})},
             {"size", cells({size})},
             {"events", cells({phandle})},
             {"events-prefix", text(prefix)}},
            {}};
}

enum : uint32_t { kNest = 0x10, kCore = 0x4, kThread = 0x1, kTrace = 0x2 };

inline Node nest(const std::string &node, uint32_t reg, uint32_t phandle, const std::string &prefix)
{
    Node made = unit(node, kNest, reg, 0x40000, phandle, prefix);

    made.set("offset", cells({0x180000})).set("cb_offset", cells({0x3fc00}));
    made.set("scale", text("256"));
    return made;
}

// One of everything, below /imc-counters.
inline Node good_tree()
{
    Node root;
    Node &top = root.add(
        {"imc-counters",
         {{"compatible", text("ibm,opal-in-memory-counters")}, {"version-id", cells({0x20})}},
         {}});

    top.add(list("mcs-events", 1, {event(0, "RD"), event(8, "WR"), event(0x30, "AMO")}));
    top.add(nest("mcs01", 0xc8, 1, "PM_MCS01_"));
    top.add(nest("mcs23", 0x48, 1, "PM_MCS23_"));
    top.add(list("core-events", 2, {event(0x10, "INST"), event(0x88, "32MHZ_CYC")}));
    top.add(unit("core", kCore, 0x18, 0x2000, 2, "CPM_")).set("scale", text("512"));
    top.add(unit("thread", kThread, 0x18, 0x2000, 2, "CPM_"));
    top.add(list("trace-events", 3, {event(0x10200000, "cycles")}));
    top.add(unit("trace", kTrace, 0, 0x40000, 3, "trace_"));
    return root;
}

inline void write_node(void *fdt, const Node &node)
{
    fdt_begin_node(fdt, node.name.c_str());
    for (const auto &[name, bytes] : node.properties)
        fdt_property(fdt, name.c_str(), bytes.data(), static_cast<int>(bytes.size()));
    for (const Node &child : node.nodes)
        write_node(fdt, child);
    fdt_end_node(fdt);
}

inline std::string blob(const Node &root)
{
    for (size_t room = 8u << 10; room <= 8u << 20; room *= 2) {
        std::string bytes(room, '\0');

        fdt_create(bytes.data(), static_cast<int>(room));
        fdt_finish_reservemap(bytes.data());
        write_node(bytes.data(), root);
        if (fdt_finish(bytes.data()) == 0) {
            bytes.resize(fdt_totalsize(bytes.data()));
            return bytes;
        }
    }
    throw std::runtime_error("no device tree can be made of this");
}

struct Loaded {
    cs_status status = CS_OK;
    cs_diag diag = {};
    std::shared_ptr<const cs_imc_catalog> catalog;

    const cs_imc_unit *pmu(const char *name) const
    {
        return cs_imc_catalog_pmu(catalog.get(), name);
    }
    std::vector<std::string> warnings() const
    {
        std::vector<std::string> result;

        for (size_t i = 0; cs_imc_catalog_warning(catalog.get(), i) != nullptr; i++)
            result.emplace_back(cs_imc_catalog_warning(catalog.get(), i));
        return result;
    }
};

inline Loaded own(cs_status status, const cs_diag &diag, cs_imc_catalog *catalog)
{
    return {status, diag, {catalog, [](cs_imc_catalog *c) { cs_imc_catalog_destroy(c); }}};
}

inline Loaded load_bytes(const std::string &bytes)
{
    // Exactly as many bytes as there are, so that a sanitizer sees what is read beyond.
    const std::unique_ptr<char[]> exact(new char[bytes.size()]);
    cs_imc_catalog *catalog = nullptr;
    cs_diag diag = {};

    bytes.copy(exact.get(), bytes.size());
    const cs_status status =
        cs_imc_catalog_load_memory(exact.get(), bytes.size(), "catalog.dtb", &catalog, &diag);
    return own(status, diag, catalog);
}

inline Loaded load_tree(const Node &root)
{
    return load_bytes(blob(root));
}

inline Loaded load_file(const std::string &path)
{
    cs_imc_catalog *catalog = nullptr;
    cs_diag diag = {};
    const cs_status status = cs_imc_catalog_load(path.c_str(), &catalog, &diag);

    return own(status, diag, catalog);
}

// All that a catalog says, a line a unit or event.
inline std::vector<std::string> told(const cs_imc_catalog *catalog)
{
    const auto or_none = [](const char *value) { return std::string(value ? value : "(none)"); };
    std::vector<std::string> lines = {"version " + std::to_string(cs_imc_catalog_version(catalog))};

    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++) {
        const cs_imc_unit *u = cs_imc_catalog_unit(catalog, i);
        std::string line = std::string(cs_imc_domain_name(u->domain)) + ' ' + u->node + ' ' +
                           u->pmu + ' ' + or_none(u->prefix) + ' ' + or_none(u->scale) + ' ' +
                           or_none(u->unit);

        for (uint32_t number : {u->reg, u->size, u->offset, u->cb_offset})
            line += ' ' + std::to_string(number);
        for (size_t k = 0; k < u->nr_chips; k++)
            line += ' ' + std::to_string(u->chip_id[k]) + '=' + std::to_string(u->base_addr[k]);
        lines.push_back(line);
        for (size_t k = 0; k < u->nr_events; k++) {
            const cs_imc_event &e = u->events[k];

            lines.push_back(std::string(e.name) + ' ' + std::to_string(e.value) + ' ' +
                            or_none(e.desc) + ' ' + or_none(e.scale) + ' ' + or_none(e.unit));
        }
    }
    return lines;
}

} // namespace cs_test

#endif
