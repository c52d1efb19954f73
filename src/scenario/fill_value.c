// SPDX-License-Identifier: Apache-2.0
/* Values of any scenario: numbers, flags, words. */
#include <stdio.h>
#include <string.h>

#include "scenario/fill.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/number.h"
#include "scenario/yaml/suggest.h"

#define FOUND_BYTES 64u
#define ALLOWED_BYTES 160u

typedef cs_status (*value_reader)(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                                  void *object);

void cs_fill_store(const cs_key *key, void *object, uint64_t value)
{
    char *at = (char *)object + key->offset;
    const uint8_t u8 = (uint8_t)value;
    const uint32_t u32 = (uint32_t)value;
    const bool flags[2] = {(value & 1) != 0, (value & 2) != 0};

    switch (key->width) {
    case 0:
        memcpy(at, flags, sizeof flags);
        break;
    case 1: /* a flag, or uint8_t: a flag's values are 0 and 1 */
        memcpy(at, &u8, sizeof u8);
        break;
    case 4:
        memcpy(at, &u32, sizeof u32);
        break;
    default:
        memcpy(at, &value, sizeof value);
    }
}

bool cs_fill_is_text(const cs_yaml_node *node)
{
    return node->kind == CS_YAML_SCALAR && node->text[0] != '\0';
}

cs_status cs_fill_wrong_type(const cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                             const char *expected)
{
    char found[FOUND_BYTES], allowed[ALLOWED_BYTES];

    return cs_fill_error(fill, node, "%s is not %s; allowed: %s",
                         cs_fill_found(node, found, sizeof found), expected,
                         cs_key_allowed(key, allowed, sizeof allowed));
}

static cs_status outside(const cs_fill *fill, const cs_key *key, const cs_yaml_node *node)
{
    char allowed[ALLOWED_BYTES];

    return cs_fill_error(fill, node, "%.40s is outside %s", node->text,
                         cs_key_allowed(key, allowed, sizeof allowed));
}

static cs_status read_number(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                             void *object)
{
    cs_number result = CS_NUMBER_NONE;
    uint64_t value = 0;

    if (cs_fill_is_text(node) && key->type == CS_KEY_SIZE && strstr(node->text, "iB") != NULL)
        result = cs_number_read_size(node->text, &value);
    else if (cs_fill_is_text(node) && node->plain)
        result = cs_number_read(node->text, strlen(node->text), &value);

    if (result == CS_NUMBER_NONE)
        return cs_fill_wrong_type(
            fill, key, node, key->type == CS_KEY_SIZE ? "a number or a size" : "a whole number");
    if (result != CS_NUMBER_OK || value < key->min || value > key->max)
        return outside(fill, key, node);
    if (value % key->step != 0)
        return cs_fill_error(fill, node, "%.40s is not a multiple of %llu", node->text,
                             (unsigned long long)key->step);
    cs_fill_store(key, object, value);
    return CS_OK;
}

/* Microseconds; false: it is no time, or not of whole ones. */
static bool time_of(const char *text, uint64_t *us)
{
    static const struct {
        const char *name;
        uint64_t us;
    } units[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}};
    const size_t bytes = strspn(text, "0123456789.");
    char number[32];
    cs_fraction part;

    for (size_t i = 0; i < sizeof units / sizeof units[0] && bytes < sizeof number; i++) {
        if (strcmp(text + bytes, units[i].name) != 0)
            continue;
        if (cs_number_read(text, bytes, us) == CS_NUMBER_OK && *us <= UINT64_MAX / units[i].us) {
            *us *= units[i].us;
            return true;
        }
        snprintf(number, sizeof number, "%.*s", (int)bytes, text);
        if (cs_number_read_fraction(number, &part) != CS_NUMBER_OK ||
            part.num * units[i].us % part.den != 0)
            return false;
        *us = part.num * units[i].us / part.den;
        return true;
    }
    return false;
}

static cs_status read_time(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    uint64_t us;

    if (!cs_fill_is_text(node) || !time_of(node->text, &us))
        return cs_fill_wrong_type(fill, key, node, "a time");
    if (us < key->min || us > key->max)
        return cs_fill_error(fill, node, "%.40s is outside %llu..%llu us", node->text,
                             (unsigned long long)key->min, (unsigned long long)key->max);
    cs_fill_store(key, object, us);
    return CS_OK;
}

static cs_status read_flag(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    bool yes = cs_fill_is_text(node) && node->plain && strcmp(node->text, "true") == 0;
    bool no = cs_fill_is_text(node) && node->plain && strcmp(node->text, "false") == 0;

    if (!yes && !no)
        return cs_fill_wrong_type(fill, key, node, "a flag");
    cs_fill_store(key, object, yes);
    return CS_OK;
}

static cs_status find_choice(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                             uint64_t *value)
{
    char found[FOUND_BYTES], allowed[ALLOWED_BYTES];

    if (!cs_fill_is_text(node))
        return cs_fill_wrong_type(fill, key, node, "a word");
    cs_suggest suggest = cs_suggest_begin(node->text);
    for (const cs_key_choice *c = key->choices; c->name != NULL; c++) {
        if (strcmp(c->name, node->text) == 0) {
            *value = c->value;
            return CS_OK;
        }
        cs_suggest_offer(&suggest, c->name);
    }
    const char *near = cs_suggest_end(&suggest);
    return cs_fill_error(
        fill, node, "%s is not one of %s%s%s%s", cs_fill_found(node, found, sizeof found),
        cs_key_allowed(key, allowed, sizeof allowed), near != NULL ? "; did you mean " : "",
        near != NULL ? near : "", near != NULL ? "?" : "");
}

static cs_status read_choice(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                             void *object)
{
    uint64_t value;
    const cs_status status = find_choice(fill, key, node, &value);

    if (status == CS_OK)
        cs_fill_store(key, object, value);
    return status;
}

static cs_status read_choices(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                              void *object)
{
    const bool list = node->kind == CS_YAML_LIST;
    uint64_t value, mask = 0;
    cs_status status = CS_OK;

    if (list && node->count == 0 && strcmp(key->fallback, "[]") != 0)
        return cs_fill_wrong_type(fill, key, node, "a word or some words");
    for (const cs_yaml_node *n = list ? node->first : node; n != NULL && status == CS_OK;
         n = list ? n->next : NULL) {
        status = find_choice(fill, key, n, &value);
        if (status == CS_OK && (mask & UINT64_C(1) << value) != 0)
            status = cs_fill_error(fill, n, "%s stands there twice", n->text);
        if (status == CS_OK)
            mask |= UINT64_C(1) << value;
    }
    if (status == CS_OK)
        cs_fill_store(key, object, mask);
    return status;
}

static cs_status read_rate(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    cs_fraction value;
    cs_number result = CS_NUMBER_NONE;

    if (cs_fill_is_text(node) && node->plain)
        result = cs_number_read_fraction(node->text, &value);
    if (result == CS_NUMBER_NONE)
        return cs_fill_wrong_type(fill, key, node, "a decimal number of at most 12 places");
    if (result != CS_NUMBER_OK || value.num > key->max * value.den)
        return outside(fill, key, node);
    memcpy((char *)object + key->offset, &value, sizeof value);
    return CS_OK;
}

static bool is_label(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

    return text[0] != '.' && text[strspn(text, letters)] == '\0';
}

static bool is_printable(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20)
            return false;
    return true;
}

cs_status cs_fill_text(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    bool good = cs_fill_is_text(node) &&
                (key->type == CS_KEY_LABEL ? is_label(node->text) : is_printable(node->text));

    if (!good)
        return cs_fill_wrong_type(fill, key, node,
                                  key->type == CS_KEY_LABEL ? "a label" : "a text");
    size_t bytes = strlen(node->text);
    if (bytes > key->max)
        return cs_fill_error(fill, node, "%zu bytes; at most %llu are allowed", bytes,
                             (unsigned long long)key->max);
    memcpy((char *)object + key->offset, node->text, bytes + 1);
    return CS_OK;
}

static cs_status read_names(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                            void *object)
{
    const char **names = NULL;
    size_t count = 0;

    if (node->kind != CS_YAML_LIST)
        return cs_fill_wrong_type(fill, key, node, "a list");
    if (node->count > 0) {
        names = cs_yaml_alloc(fill->memory, node->count * sizeof *names, fill->diag);
        if (names == NULL)
            return CS_ERR_NO_MEMORY;
    }
    for (const cs_yaml_node *n = node->first; n != NULL; n = n->next) {
        if (!cs_fill_is_text(n) || !is_printable(n->text) || strlen(n->text) > key->max)
            return cs_fill_wrong_type(fill, key, n, "a name");
        names[count] = cs_yaml_copy(fill->memory, n->text, strlen(n->text), fill->diag);
        if (names[count++] == NULL)
            return CS_ERR_NO_MEMORY;
    }
    memcpy((char *)object + key->offset, &names, sizeof names);
    memcpy((char *)object + key->count_offset, &count, sizeof count);
    return CS_OK;
}

static cs_status read_overlay(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                              void *object)
{
    static const char *const refused[] = {"way", "ways"};

    (void)object;
    if (node->kind != CS_YAML_MAP)
        return cs_fill_wrong_type(fill, key, node, "a map");
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const cs_yaml_node *child = cs_yaml_child(node, refused[i], strlen(refused[i]));

        if (child != NULL)
            return cs_fill_key_error(fill, child, "%s is not allowed in a way", refused[i]);
    }
    return CS_OK;
}

cs_status cs_fill_value(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object)
{
    static const value_reader readers[] = {
        [CS_KEY_NUMBER] = read_number,
        [CS_KEY_SIZE] = read_number,
        [CS_KEY_TIME] = read_time,
        [CS_KEY_FLAG] = read_flag,
        [CS_KEY_CHOICE] = read_choice,
        [CS_KEY_CHOICES] = read_choices,
        [CS_KEY_RATE] = read_rate,
        [CS_KEY_LABEL] = cs_fill_text,
        [CS_KEY_NAME] = cs_fill_text,
        [CS_KEY_CPUS] = cs_fill_cpus,
        [CS_KEY_EVENT] = cs_fill_event,
        [CS_KEY_EVENTS] = cs_fill_event,
        [CS_KEY_USER_EVENTS] = cs_fill_user_events,
        [CS_KEY_ADDRESS] = cs_fill_address,
        [CS_KEY_LOADED] = cs_fill_loaded,
        [CS_KEY_NAMES] = read_names,
        [CS_KEY_OVERLAY] = read_overlay,
        [CS_KEY_FILE] = cs_fill_file,
    };

    return readers[key->type](fill, key, node, object);
}
