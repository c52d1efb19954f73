// SPDX-License-Identifier: Apache-2.0
#include "foreign/map.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "scenario/yaml/suggest.h"

cs_status cs_foreign_at(cs_diag *diag, const cs_yaml_node *node, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cs_diag_set_at(diag, CS_ERR_SCENARIO, node->where,
                          node->key != NULL ? node->key_line : node->line,
                          node->key != NULL ? node->key_column : node->column, "%s", text);
}

/* An unknown key, with the nearest known one. `name` of the i-th; NULL ends. */
static cs_status unknown(cs_diag *diag, const cs_yaml_node *node, const char *what,
                         const char *(*name)(const cs_foreign_map *map, size_t i),
                         const cs_foreign_map *map)
{
    cs_suggest suggest = cs_suggest_begin(node->key);
    const char *nearest;

    for (size_t i = 0; name(map, i) != NULL; i++)
        cs_suggest_offer(&suggest, name(map, i));
    nearest = cs_suggest_end(&suggest);
    if (nearest != NULL)
        return cs_foreign_at(diag, node, "there is no %s '%s'; did you mean '%s'?", what, node->key,
                             nearest);
    return cs_foreign_at(diag, node, "there is no %s '%s'", what, node->key);
}

static const char *pin_name(const cs_foreign_map *map, size_t i)
{
    return map->unit->pins[i].name;
}

static const char *setting_name(const cs_foreign_map *map, size_t i)
{
    return map->unit->settings[i].name;
}

static cs_status expect(const cs_yaml_node *node, cs_yaml_kind kind, const char *what,
                        cs_diag *diag)
{
    return node->kind == kind ? CS_OK : cs_foreign_at(diag, node, "expected %s", what);
}

static cs_status number(const cs_yaml_node *node, uint64_t least, uint64_t most, uint64_t *out,
                        cs_diag *diag)
{
    if (node->kind != CS_YAML_SCALAR)
        return cs_foreign_at(diag, node, "expected a number");
    if (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0) {
        *out = node->text[0] == 't';
        if (most == 1)
            return CS_OK;
    } else if (cs_number_of(node->text, most, out) && *out >= least) {
        return CS_OK;
    }
    return cs_foreign_at(diag, node, "found '%s', expected a number from %llu to %llu", node->text,
                         (unsigned long long)least, (unsigned long long)most);
}

/* ---- the keys ---- */

typedef cs_status reader(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag);

static cs_status read_unit(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    if (node->kind != CS_YAML_SCALAR || strcmp(node->text, map->unit->name) != 0)
        return cs_foreign_at(diag, node, "found '%s', and the command line says '%s'",
                             node->kind == CS_YAML_SCALAR ? node->text : "a map or list",
                             map->unit->name);
    return CS_OK;
}

/* Names and values become text of our SystemVerilog, and arguments of Verilator: nothing there may run. */
static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")] ==
               '\0' &&
           (text[0] < '0' || text[0] > '9') && text[0] != '$' && text[0] != '\0';
}

/* A number, or a name of their package or of a parameter. */
static bool is_constant(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_'?:.-")] == '\0';
}

static bool is_literal(const char *text)
{
    const size_t length = strlen(text);

    return is_constant(text) ||
           (length >= 2 && text[0] == '"' && strcspn(text + 1, "\"\\`\n") == length - 2 &&
            text[length - 1] == '"');
}

static cs_status read_pairs(const cs_yaml_node *node, cs_foreign_pair *pairs, size_t *count,
                            bool (*is_good)(const char *text), const char *expected, cs_diag *diag)
{
    cs_status status = expect(node, CS_YAML_MAP, "names with values", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        if (*count == CS_FOREIGN_MAX_PAIRS)
            return cs_foreign_at(diag, child, "more than %u", CS_FOREIGN_MAX_PAIRS);
        if (!is_name(child->key))
            return cs_foreign_at(diag, child, "found '%s', expected a name", child->key);
        status = expect(child, CS_YAML_SCALAR, "a value", diag);
        if (status == CS_OK && !is_good(child->text))
            status = cs_foreign_at(diag, child, "found '%s', expected %s", child->text, expected);
        if (status == CS_OK)
            pairs[(*count)++] = (cs_foreign_pair){child->key, child->text, child};
    }
    return status;
}

static cs_status read_parameters(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    return read_pairs(node, map->parameters, &map->nr_parameters, is_literal,
                      "a number, or a text in \"\"", diag);
}

static cs_status read_tie(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    return read_pairs(node, map->ties, &map->nr_ties, is_constant,
                      "a number or the name of a parameter", diag);
}

/* Of {port: NAME, ...}, in this order. */
enum { PORT, INVERT, FIELD, FIRST, COUNT, NR_LINK_KEYS };
static const char *const link_keys[NR_LINK_KEYS] = {
    [PORT] = "port", [INVERT] = "invert", [FIELD] = "field", [FIRST] = "first", [COUNT] = "count"};

static const char *link_key(const cs_foreign_map *map, size_t i)
{
    (void)map;
    return i < NR_LINK_KEYS ? link_keys[i] : NULL;
}

static cs_status read_link(cs_foreign_map *map, const cs_yaml_node *node, const cs_foreign_pin *pin,
                           cs_foreign_link *link, cs_diag *diag)
{
    const unsigned fields = pin->field != 0 ? pin->width / pin->field : 1;
    const uint64_t least[] = {[INVERT] = 0, [FIELD] = 1, [FIRST] = 0, [COUNT] = 1};
    const uint64_t most[] = {[INVERT] = 1, [FIELD] = 64, [FIRST] = fields - 1, [COUNT] = fields};
    uint64_t values[NR_LINK_KEYS] = {[FIELD] = pin->field};
    bool packed = false;
    cs_status status = CS_OK;

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        size_t key = 0;

        while (key < NR_LINK_KEYS && strcmp(child->key, link_keys[key]) != 0)
            key++;
        if (key == NR_LINK_KEYS) {
            status = unknown(diag, child, "key", link_key, map);
        } else if (key == PORT) {
            status = expect(child, CS_YAML_SCALAR, "the name of a port", diag);
            link->port = child->text;
        } else {
            status = number(child, least[key], most[key], &values[key], diag);
            packed |= key >= FIELD;
        }
    }
    if (status != CS_OK)
        return status;
    if (link->port == NULL)
        return cs_foreign_at(diag, node, "expected 'port' among the keys of '%s'", pin->name);
    if (packed && pin->field == 0)
        return cs_foreign_at(diag, node,
                             "'%s' has no fields: 'field', 'first' and 'count' are for "
                             "pins with one for each of several",
                             pin->name);
    link->invert = values[INVERT] != 0;
    link->field = (unsigned)values[FIELD];
    link->first = (unsigned)values[FIRST];
    link->count = !packed ? 0 : values[COUNT] != 0 ? (unsigned)values[COUNT] : fields - link->first;
    if (link->first + link->count > fields)
        return cs_foreign_at(diag, node, "'%s' has %u fields, and these are %u from %u on",
                             pin->name, fields, link->count, link->first);
    return CS_OK;
}

static cs_status read_ports(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    cs_status status = expect(node, CS_YAML_MAP, "our pins with their ports", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        const int pin = cs_foreign_pin_index(map->unit, child->key);
        cs_foreign_link *link;

        if (pin < 0)
            return unknown(diag, child, "pin", pin_name, map);
        link = &map->links[pin];
        *link = (cs_foreign_link){.node = child};
        if (child->kind == CS_YAML_SCALAR)
            link->port = child->text;
        else if (child->kind == CS_YAML_MAP)
            status = read_link(map, child, &map->unit->pins[pin], link, diag);
        else
            status = cs_foreign_at(diag, child, "expected a port, or {port: NAME, ...}");
        map->design.linked[pin] = true;
        map->design.field[pin] = link->count != 0 ? link->field : 0;
        map->design.first[pin] = link->first;
        map->design.fields[pin] = link->count;
    }
    return status;
}

static cs_status read_settings(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    cs_status status = expect(node, CS_YAML_MAP, "settings with their values", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        const int i = cs_foreign_setting_index(map->unit, child->key);

        if (i < 0)
            return unknown(diag, child, "setting", setting_name, map);
        status = number(child, map->unit->settings[i].least, map->unit->settings[i].most,
                        &map->design.setting[i], diag);
        map->design.set[i] = true;
    }
    return status;
}

static cs_status read_addresses(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    const uint64_t most = (UINT64_C(1) << map->unit->address_bits) - 1;
    cs_status status = expect(node, CS_YAML_MAP, "our registers with theirs", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        cs_foreign_address *a = &map->addresses[map->nr_addresses];

        if (map->nr_addresses++ == CS_FOREIGN_MAX_ADDRESSES)
            return cs_foreign_at(diag, child, "more than %u", CS_FOREIGN_MAX_ADDRESSES);
        if (!cs_number_of(child->key, most, &a->ours))
            return cs_foreign_at(diag, child, "found '%s', expected a number up to 0x%llx",
                                 child->key, (unsigned long long)most);
        status = number(child, 0, most, &a->theirs, diag);
    }
    return status;
}

/* "A" or "A-B". */
static bool range_of(const char *text, uint64_t most, cs_foreign_range *out)
{
    const char *minus = strchr(text, '-');
    char first[32];

    if (minus == NULL) {
        if (!cs_number_of(text, most, &out->first))
            return false;
        out->last = out->first;
        return true;
    }
    if ((size_t)(minus - text) >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(minus - text), text);
    return cs_number_of(first, most, &out->first) && cs_number_of(minus + 1, most, &out->last) &&
           out->first <= out->last;
}

static cs_status read_leaves_out(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    const uint64_t most = (UINT64_C(1) << map->unit->address_bits) - 1;
    cs_status status = expect(node, CS_YAML_LIST, "a list of registers", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        size_t *count = &map->design.nr_leaves_out;

        if (*count == CS_FOREIGN_MAX_ADDRESSES)
            return cs_foreign_at(diag, child, "more than %u", CS_FOREIGN_MAX_ADDRESSES);
        if (child->kind != CS_YAML_SCALAR || !range_of(child->text, most, &map->leaves_out[*count]))
            return cs_foreign_at(diag, child, "expected a number up to 0x%llx, or FIRST-LAST",
                                 (unsigned long long)most);
        ++*count;
    }
    return status;
}

static cs_status read_late(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    cs_status status = expect(node, CS_YAML_MAP, "our outputs and increments with cycles", diag);

    for (const cs_yaml_node *child = node->first; status == CS_OK && child != NULL;
         child = child->next) {
        const int pin = cs_foreign_pin_index(map->unit, child->key);
        uint64_t cycles = 0;

        if (pin < 0)
            return unknown(diag, child, "pin", pin_name, map);
        if (!map->unit->pins[pin].output && !map->unit->pins[pin].lags)
            return cs_foreign_at(diag, child,
                                 "'%s' is an input: only outputs can be late, and increments that "
                                 "answer no output",
                                 child->key);
        status = number(child, 0, CS_FOREIGN_MAX_LATE, &cycles, diag);
        map->design.late[pin] = (unsigned)cycles;
    }
    return status;
}

static cs_status read_pace(cs_foreign_map *map, const cs_yaml_node *node, cs_diag *diag)
{
    uint64_t cycles = 1;
    cs_status status = number(node, 1, 1000, &cycles, diag);

    map->design.pace_cycles = (unsigned)cycles;
    return status;
}

static const struct {
    const char *name;
    reader *read;
    const char *tells;
} keys[] = {
    {"unit", read_unit, "the unit, as on the command line; may be left out"},
    {"parameters", read_parameters, "of the module, NAME: VALUE"},
    {"ports", read_ports, "our pin: their port, or {port, invert, field, first, count}"},
    {"tie", read_tie, "their inputs that are held, NAME: VALUE"},
    {"settings", read_settings, "what the design is, by our names"},
    {"addresses", read_addresses, "our register: theirs, where they differ"},
    {"leaves_out", read_leaves_out, "our registers that no program touches, A or A-B"},
    {"late", read_late,
     "our output or increments: cycles that theirs come, or count, later, 0 to 31"},
    {"pace_cycles", read_pace, "from an access to the next one, at least; 1"},
};

#define NR_KEYS (sizeof keys / sizeof keys[0])

bool cs_foreign_map_key(size_t i, const char **name, const char **tells)
{
    if (i >= NR_KEYS)
        return false;
    *name = keys[i].name;
    *tells = keys[i].tells;
    return true;
}

static const char *key_name(const cs_foreign_map *map, size_t i)
{
    (void)map;
    return i < NR_KEYS ? keys[i].name : NULL;
}

static cs_status read_root(cs_foreign_map *map, const cs_yaml_node *root, cs_diag *diag)
{
    cs_status status = expect(root, CS_YAML_MAP, "the keys of a MAP, as 'ports:'", diag);

    for (const cs_yaml_node *child = root->first; status == CS_OK && child != NULL;
         child = child->next) {
        size_t i = 0;

        while (i < NR_KEYS && strcmp(keys[i].name, child->key) != 0)
            i++;
        status = i < NR_KEYS ? keys[i].read(map, child, diag)
                             : unknown(diag, child, "key", key_name, map);
    }
    if (status != CS_OK)
        return status;
    for (size_t i = 0; map->unit->pins[i].name != NULL; i++)
        if (map->unit->pins[i].needed && map->links[i].port == NULL)
            return cs_foreign_at(diag, root, "the pin '%s' (%s) has no port: every %s has it",
                                 map->unit->pins[i].name, map->unit->pins[i].tells,
                                 map->unit->name);
    return CS_OK;
}

/* ---- the file ---- */

static char *read_file(const char *path, size_t *bytes, cs_diag *diag)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;

    errno = 0;
    if (file != NULL && (text = malloc(CS_YAML_MAX_BYTES + 1)) != NULL)
        *bytes = fread(text, 1, CS_YAML_MAX_BYTES + 1, file);
    if (text == NULL || ferror(file)) {
        cs_diag_set(diag, CS_ERR_IO, path, "cannot be read: %s",
                    errno != 0 ? strerror(errno) : "no such file");
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

cs_status cs_foreign_map_check(const cs_foreign_map *map, cs_diag *diag)
{
    cs_diag why = {0};

    return map->unit->check(&map->design, &why) == CS_OK
               ? CS_OK
               : cs_foreign_at(diag, map->root, "settings: %s", why.text);
}

cs_status cs_foreign_map_load(const char *path, const cs_foreign_unit *unit, cs_foreign_map **out,
                              cs_diag *diag)
{
    cs_foreign_map *map = calloc(1, sizeof *map);
    cs_yaml_node *root = NULL;
    size_t bytes = 0;
    char *text;
    cs_status status;

    *out = NULL;
    if (map == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a MAP");
    map->unit = unit;
    map->design.pace_cycles = 1;
    map->design.leaves_out = map->leaves_out;
    for (size_t i = 0; unit->settings[i].name != NULL; i++)
        map->design.setting[i] = unit->settings[i].value;
    text = read_file(path, &bytes, diag);
    status = text != NULL ? cs_yaml_create(&map->yaml, diag) : CS_ERR_IO;
    if (status == CS_OK)
        status = cs_yaml_parse(map->yaml, text, bytes, path, true, &root, diag);
    if (status == CS_OK)
        status = read_root(map, root, diag);
    map->root = root;
    if (status == CS_OK)
        status = cs_foreign_map_check(map, diag);
    free(text);
    if (status != CS_OK) {
        cs_foreign_map_destroy(map);
        return status;
    }
    *out = map;
    return CS_OK;
}

void cs_foreign_map_destroy(cs_foreign_map *map)
{
    if (map == NULL)
        return;
    cs_yaml_destroy(map->yaml);
    free(map);
}
