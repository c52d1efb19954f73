// SPDX-License-Identifier: Apache-2.0
/* Values that are particular to a die: CPUs, events, registers. */
#include <stdio.h>
#include <string.h>

#include "scenario/cpus.h"
#include "scenario/fill.h"
#include "scenario/section_list.h"
#include "scenario/yaml/number.h"
#include "scenario/yaml/shared.h"
#include "scenario/yaml/suggest.h"

/* The CPUs that a key may name; a die with too many is refused later. */
static unsigned known_cpus(const cs_fill *fill)
{
    const unsigned count = cs_scenario_cpus(fill->scenario);

    return count < CS_MAX_CPUS ? count : CS_MAX_CPUS;
}

static cs_status outside_cpus(cs_fill *fill, const cs_yaml_node *node)
{
    const unsigned count = known_cpus(fill);
    char section[32], keys[160];

    if (fill->nr_before != 0) /* one of these may say how many there are */
        return CS_OK;
    snprintf(section, sizeof section, "%.*s", (int)strcspn(fill->path, "."), fill->path);
    cs_scenario_cpu_keys(fill->scenario, section, keys, sizeof keys);
    if (count == 0)
        return cs_fill_error(fill, node, "%.40s is no CPU: there are none (%s)", node->text, keys);
    return cs_fill_error(fill, node, "%.40s is outside the CPUs 0..%u (%s)", node->text, count - 1,
                         keys);
}

/* One element of a list of CPUs. */
static cs_status read_cpu(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, bool cpus[])
{
    uint64_t first, last, count = known_cpus(fill);
    cs_number result = CS_NUMBER_NONE;

    if (cs_fill_is_text(node)) {
        size_t minus = cs_number_range(node->text);

        if (minus > 0) {
            const char *rest = node->text + minus + 1;
            cs_number end = cs_number_read(rest, strlen(rest), &last);

            result = cs_number_read(node->text, minus, &first);
            result = result == CS_NUMBER_OK ? end : result;
        } else if (node->plain) {
            result = cs_number_read(node->text, strlen(node->text), &first);
            last = first;
        }
    }
    if (result == CS_NUMBER_NONE)
        return cs_fill_wrong_type(fill, key, node, "a CPU number or a range");
    if (result != CS_NUMBER_OK || first >= count || last >= count || first > last)
        return outside_cpus(fill, node);
    for (uint64_t cpu = first; cpu <= last; cpu++)
        cpus[cpu] = true;
    return CS_OK;
}

cs_status cs_fill_cpus(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    bool cpus[CS_MAX_CPUS] = {false};
    cs_status status = CS_OK;

    if (node->kind == CS_YAML_LIST) {
        for (const cs_yaml_node *n = node->first; n != NULL && status == CS_OK; n = n->next)
            status = read_cpu(fill, key, n, cpus);
    } else if (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0) {
        for (unsigned cpu = 0; cpu < known_cpus(fill); cpu++)
            cpus[cpu] = true;
    } else {
        status = read_cpu(fill, key, node, cpus);
    }
    if (status == CS_OK)
        memcpy((char *)object + key->offset, cpus, sizeof cpus);
    return status;
}

static void offer_events(const cs_scenario *s, cs_suggest *suggest)
{
    uint32_t number;

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;

        for (size_t k = 0; section->names != NULL && section->names->at(k, &number) != NULL; k++)
            cs_suggest_offer(suggest, section->names->at(k, &number));
        if (section->offer_events != NULL)
            section->offer_events(s, suggest);
    }
}

/* An event by number or name; `hex`: numbers are hexadecimal without 0x. */
static cs_status read_event_word(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                                 const char *word, size_t bytes, bool hex, uint64_t *number)
{
    char shown[40];
    cs_number result =
        hex ? cs_number_read_hex(word, bytes, number) : cs_number_read(word, bytes, number);

    if (result == CS_NUMBER_OK && *number <= CS_MAX_EVENT)
        return CS_OK;
    snprintf(shown, sizeof shown, "%.*s", (int)(bytes < 39 ? bytes : 39), word);
    if (result != CS_NUMBER_NONE)
        return cs_fill_error(fill, node, "event %s is outside 0..0xffff", shown);

    if (hex)
        return cs_fill_error(fill, node, "\"%s\" is not a hexadecimal event number", shown);
    char why[CS_WHY_BYTES], name[256];
    uint32_t named;
    snprintf(name, sizeof name, "%.*s", (int)(bytes < 255 ? bytes : 255), word);
    if (cs_section_event(fill->scenario, name, &named, why)) {
        *number = named;
        return CS_OK;
    }
    *number = 0;
    if (fill->no_events)
        return CS_OK;
    if (why[0] != '\0')
        return cs_fill_error(fill, node, "%s", why);
    if (shown[0] < 'A' || shown[0] > 'z')
        return cs_fill_wrong_type(fill, key, node, "an event");
    cs_suggest suggest = cs_suggest_begin(shown);
    offer_events(fill->scenario, &suggest);
    const char *near = cs_suggest_end(&suggest);
    return cs_fill_error(fill, node, "there is no event %s%s%s%s", shown,
                         near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                         near != NULL ? "?" : "");
}

/* Ranges are of numbers: a name may have a '-' in it. */
static cs_status read_event_range(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                                  const char *text, size_t bytes, bool hex, uint64_t range[2])
{
    const char *minus = memchr(text, '-', bytes);

    if (minus == NULL || minus == text || (!hex && (text[0] < '0' || text[0] > '9'))) {
        cs_status status = read_event_word(fill, key, node, text, bytes, hex, &range[0]);

        range[1] = range[0];
        return status;
    }
    size_t first = (size_t)(minus - text);
    cs_status status = read_event_word(fill, key, node, text, first, hex, &range[0]);
    if (status == CS_OK)
        status = read_event_word(fill, key, node, minus + 1, bytes - first - 1, hex, &range[1]);
    if (status == CS_OK && range[0] > range[1])
        return cs_fill_error(fill, node, "the range %.40s ends before it begins", text);
    return status;
}

cs_status cs_fill_event(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    uint64_t range[2];

    if (!cs_fill_is_text(node))
        return cs_fill_wrong_type(fill, key, node, "an event");
    cs_status status =
        key->type == CS_KEY_EVENTS
            ? read_event_range(fill, key, node, node->text, strlen(node->text), false, range)
            : read_event_word(fill, key, node, node->text, strlen(node->text), false, &range[0]);
    if (status != CS_OK)
        return status;
    const uint32_t numbers[2] = {(uint32_t)range[0], (uint32_t)range[1]};
    memcpy((char *)object + key->offset, numbers,
           key->type == CS_KEY_EVENTS ? sizeof numbers : sizeof numbers[0]);
    return CS_OK;
}

/* Events go where the key says; behind their count, how many there was no room for. */
static void add_user_events(const cs_key *key, void *object, const uint64_t range[2])
{
    uint32_t *events = (uint32_t *)(void *)((char *)object + key->offset);
    unsigned *count = (unsigned *)(void *)((char *)object + key->count_offset);
    uint64_t event = range[0];

    while (event <= range[1] && count[0] < CS_MAX_USER_EVENTS)
        events[count[0]++] = (uint32_t)event++;

    uint64_t ignored = count[1] + (range[1] + 1 - event);
    count[1] = ignored < UINT32_MAX ? (unsigned)ignored : UINT32_MAX;
}

cs_status cs_fill_user_events(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                              void *object)
{
    cs_status status = CS_OK;
    uint64_t range[2];

    if (node->kind == CS_YAML_LIST) {
        for (const cs_yaml_node *n = node->first; n != NULL; n = n->next) {
            if (!cs_fill_is_text(n))
                return cs_fill_wrong_type(fill, key, n, "an event");
            status = read_event_range(fill, key, n, n->text, strlen(n->text), false, range);
            if (status != CS_OK)
                return status;
            add_user_events(key, object, range);
        }
        return CS_OK;
    }
    if (node->kind != CS_YAML_SCALAR)
        return cs_fill_wrong_type(fill, key, node, "a list of events");
    for (const char *word = node->text + strspn(node->text, " \t\r\n"); *word != '\0';) {
        size_t bytes = strcspn(word, " \t\r\n");

        status = read_event_range(fill, key, node, word, bytes, true, range);
        if (status != CS_OK)
            return status;
        add_user_events(key, object, range);
        word += bytes + strspn(word + bytes, " \t\r\n");
    }
    return CS_OK;
}

#define PATH_BYTES (sizeof(((cs_scenario *)NULL)->folder) + 256)

/* Each once. */
static cs_status keep_file(cs_fill *fill, const char *name)
{
    cs_scenario *s = fill->scenario;
    const char **files;

    for (size_t i = 0; i < s->nr_files; i++)
        if (strcmp(s->files[i], name) == 0)
            return CS_OK;
    files = cs_yaml_alloc(fill->memory, (s->nr_files + 1) * sizeof *files, fill->diag);
    if (files == NULL)
        return CS_ERR_NO_MEMORY;
    if (s->nr_files > 0)
        memcpy(files, s->files, s->nr_files * sizeof *files);
    files[s->nr_files] = cs_yaml_copy(fill->memory, name, strlen(name), fill->diag);
    if (files[s->nr_files] == NULL)
        return CS_ERR_NO_MEMORY;
    s->files = files;
    s->nr_files++;
    return CS_OK;
}

cs_status cs_fill_file(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    const cs_status status = cs_fill_text(fill, key, node, object);

    return status == CS_OK ? keep_file(fill, node->text) : status;
}

cs_status cs_fill_loaded(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    char path[PATH_BYTES];
    cs_diag inner = {0};

    (void)object;
    if (!cs_fill_is_text(node) || strlen(node->text) > 255)
        return cs_fill_wrong_type(fill, key, node, "a file name");
    if (!cs_scenario_file(fill->scenario->folder, node->text, path, sizeof path))
        return cs_fill_error(fill, node,
                             "%.200s: the files that come with Countersink (configs/) are not "
                             "beside the program",
                             node->text);
    cs_status status = node->text[0] != '<' ? keep_file(fill, node->text) : CS_OK;
    if (status != CS_OK)
        return status;
    status = key->load(fill->scenario, fill->memory, path, &inner);
    if (status == CS_ERR_NO_MEMORY)
        return cs_diag_set(fill->diag, status, NULL, "no memory for %.200s", node->text);
    return status == CS_OK ? CS_OK
                           : cs_fill_error(fill, node, "%.200s: %s", node->text, inner.text);
}

/* The section whose name and a point the text begins with, if it has registers. */
static const cs_section *section_of(const char *text)
{
    const size_t length = strcspn(text, ".");

    for (size_t i = 0; i < cs_nr_sections && text[length] != '\0'; i++) {
        const cs_section *section = cs_sections[i].section;

        if (section->registers != NULL && strlen(section->name) == length &&
            memcmp(section->name, text, length) == 0)
            return section;
    }
    return NULL;
}

cs_status cs_fill_address(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    uint64_t value = 0;

    if (!cs_fill_is_text(node))
        return cs_fill_wrong_type(fill, key, node, "an address");
    const cs_section *section = section_of(node->text);
    if (section != NULL) {
        const char *name = node->text + strlen(section->name) + 1;
        const char *last = section->registers->whole ? name : strrchr(node->text, '.') + 1;
        cs_suggest suggest = cs_suggest_begin(last);
        char owner[64];

        if (!section->registers->address(fill->scenario, name, &value, &suggest) &&
            fill->nr_before == 0) {
            const char *near = cs_suggest_end(&suggest);

            section->registers->owner(fill->scenario, owner, sizeof owner);
            return cs_fill_error(fill, node, "%s no register %.40s%s%s%s%s%s", owner, name,
                                 near != NULL ? "; did you mean " : "",
                                 near != NULL && section->registers->whole ? section->name : "",
                                 near != NULL && section->registers->whole ? "." : "",
                                 near != NULL ? near : "", near != NULL ? "?" : "");
        }
    } else {
        cs_number result =
            node->plain ? cs_number_read(node->text, strlen(node->text), &value) : CS_NUMBER_NONE;

        if (result == CS_NUMBER_NONE)
            return cs_fill_wrong_type(fill, key, node, "an address");
        if (result != CS_NUMBER_OK)
            return cs_fill_error(fill, node, "%.40s is outside 0..2^64-1", node->text);
    }
    cs_fill_store(key, object, value);
    return CS_OK;
}
