// SPDX-License-Identifier: Apache-2.0
/* Explains a key of a scenario, or a figure of results, or finds them. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/files/shared.h"
#include "cli/help/key_row.h"
#include "cli/help/wrap.h"
#include "results/figures.h"
#include "scenario/keys.h"
#include "scenario/section_list.h"
#include "scenario/yaml/suggest.h"

#define PATH 256u
#define MOST_USERS 8u
#define MOST_HITS 16u

/* A path with its numbers taken out, as the table of keys has it: a.3.b, a[3].b and a[].b are a[].b. */
static void general(const char *key, char out[PATH])
{
    size_t used = 0;

    while (*key != '\0' && used + 3 < PATH) {
        const size_t bytes = strcspn(key, ".[");
        const bool number = bytes != 0 && strspn(key, "0123456789") == bytes;

        if (number) {
            used -= used != 0 && out[used - 1] == '.';
            memcpy(out + used, "[]", 2);
            used += 2;
        } else if (*key == '[') {
            memcpy(out + used, "[]", 2);
            used += 2;
            key += strcspn(key, "]");
            key += *key != '\0';
            continue;
        } else {
            const size_t fits = bytes < PATH - used - 3 ? bytes : PATH - used - 3;

            memcpy(out + used, key, fits);
            used += fits;
        }
        key += bytes;
        if (*key == '.')
            out[used++] = *key++;
    }
    out[used] = '\0';
}

/* ---- looking for it ---- */

/* Capital letters are as small ones. */
static bool text_has(const char *text, const char *part)
{
    const size_t bytes = strlen(part);

    for (; *text != '\0'; text++)
        if (strncasecmp(text, part, bytes) == 0)
            return true;
    return false;
}

/* What is nearly what was asked for. */
typedef struct search {
    const char *wanted;
    cs_suggest suggest;
    char nearest[PATH];
    char begun[PATH]; /* the longest key that the wanted one begins with, up to a word's end */
} search;

static void offer(search *s, const char *word, const char *path)
{
    const unsigned before = s->suggest.distance;

    cs_suggest_offer(&s->suggest, word);
    /* The path is the walk's own, and changes. */
    if (s->suggest.distance != before)
        snprintf(s->nearest, sizeof s->nearest, "%s", path);
}

static bool look(void *ctx, const char *path, const cs_key *key)
{
    search *s = ctx;
    const size_t bytes = strlen(path);

    if (bytes > strlen(s->begun) && strchr(path, '.') != NULL &&
        strncmp(path, s->wanted, bytes) == 0 && strchr("_.[", s->wanted[bytes]) != NULL)
        snprintf(s->begun, sizeof s->begun, "%s", path);
    offer(s, path, path);
    offer(s, key->name, path);
    return true;
}

/* Keys that are printed with a line each. */
typedef struct hits {
    const char *wanted;
    bool (*is_one)(const char *path, const cs_key *key, const char *wanted);
    char first[PATH];
    size_t count, most; /* of them are printed */
    cs_table *table;    /* which they are rows of; NULL: text */
} hits;

static bool ends_so(const char *path, const cs_key *key, const char *wanted)
{
    (void)path;
    return strcmp(key->name, wanted) == 0;
}

static bool names_it(const char *path, const cs_key *key, const char *wanted)
{
    (void)key;
    return text_has(path, wanted);
}

static bool tells_of_it(const char *path, const cs_key *key, const char *wanted)
{
    bool any = text_has(key->text, wanted);

    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL && !any; c++)
        any = text_has(c->name, wanted) || (c->text != NULL && text_has(c->text, wanted));
    return any && !text_has(path, wanted);
}

static void print_line(const char *name, const char *text)
{
    cs_wrap(stdout, text, (unsigned)printf("  %-34s ", name), 37, cs_columns(stdout, 92));
}

static bool hit(void *ctx, const char *path, const cs_key *key)
{
    hits *h = ctx;

    if (!h->is_one(path, key, h->wanted))
        return true;
    if (h->count == 0)
        snprintf(h->first, sizeof h->first, "%s", path);
    if (h->count++ >= h->most)
        return true;
    if (h->table != NULL)
        cs_key_row(h->table, path, key);
    else
        print_line(path, key->text);
    return true;
}

/* Prints up to `most` of them, or adds them to a table; returns how many there are. `first` may be NULL. */
static size_t each_hit(const char *wanted,
                       bool (*is_one)(const char *path, const cs_key *key, const char *wanted),
                       size_t most, char *first, cs_table *table)
{
    hits h = {.wanted = wanted, .is_one = is_one, .most = most, .table = table};

    cs_scenario_keys(hit, &h);
    if (first != NULL)
        snprintf(first, PATH, "%s", h.first);
    if (h.count > most && most != 0 && table == NULL)
        printf("  and %zu more\n", h.count - most);
    return h.count;
}

/* ---- who uses it ---- */

/* Whether a scenario says the key: its words one below the other, each further to the right. */
static bool says(const char *text, const char *path)
{
    const char *last = strrchr(path, '.');
    const char *word = last != NULL ? last + 1 : path;
    const size_t first = strcspn(path, ".["), bytes = strcspn(word, "[");
    bool in_section = last == NULL;

    for (const char *line = text; *line != '\0';
         line += strcspn(line, "\n"), line += *line == '\n') {
        if (*line != ' ' && *line != '#' && *line != '\n' && last != NULL)
            in_section = strncmp(line, path, first) == 0 && line[first] == ':';
        for (const char *at = line; in_section && *at != '\n' && *at != '#' && *at != '\0'; at++)
            if ((at == line || strchr(" {,-", at[-1]) != NULL) && strncmp(at, word, bytes) == 0 &&
                at[bytes] == ':')
                return true;
    }
    return false;
}

static void print_users(const char *path)
{
    char root[1024], *names[CS_SHARED_MOST];
    size_t count = 0, users = 0;

    if (!cs_shared_folder("configs", root, sizeof root))
        return;
    count = cs_shared_scenarios(root, names);
    for (size_t i = 0; i < count; i++) {
        char *text = cs_shared_read(root, names[i]);

        if (text != NULL && says(text, path) && users++ < MOST_USERS)
            printf("%s%s\n", users == 1 ? "used by   " : "          ", names[i]);
        free(text);
        free(names[i]);
    }
    if (users > MOST_USERS)
        printf("          and %zu more\n", users - MOST_USERS);
}

/* ---- telling ---- */

static void put(const char *title, const char *text)
{
    if (*text != '\0')
        cs_wrap(stdout, text, (unsigned)printf("%-9s ", title), 10, cs_columns(stdout, 92));
}

static const char *page_of(const char *path)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        const size_t bytes = strlen(section->name);

        if (strncmp(path, section->name, bytes) == 0 && strchr(".[", path[bytes]) != NULL &&
            section->unit != NULL)
            return section->unit->page;
    }
    return "docs/scenarios.md";
}

static void print_below(const cs_key *key)
{
    printf("\nBelow it:\n");
    for (size_t i = 0; i < key->shape->nr_keys; i++) {
        const cs_key *below = &key->shape->keys[i];

        if (key->without == NULL || strcmp(key->without, below->name) != 0)
            cs_wrap(stdout, below->text, (unsigned)printf("  %-24s ", below->name), 27,
                    cs_columns(stdout, 92));
    }
}

static void print_words(const cs_key *key)
{
    bool any = false;

    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++)
        if (c->text != NULL && *c->text != '\0') {
            printf("%s", any ? "" : "\nIts words:\n");
            any = true;
            cs_wrap(stdout, c->text, (unsigned)printf("  %-24s ", c->name), 27,
                    cs_columns(stdout, 92));
        }
    printf("%s", any ? "\n" : "");
}

/* The key, its words, and the keys below it. */
static void put_rows(cs_table *table, const char *path, const cs_key *key)
{
    char below[2 * PATH];

    cs_key_row(table, path, key);
    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++)
        if (c->text != NULL && *c->text != '\0')
            cs_key_word_row(table, path, c);
    for (size_t i = 0; key->shape != NULL && i < key->shape->nr_keys; i++) {
        const cs_key *one = &key->shape->keys[i];

        if (key->without != NULL && strcmp(key->without, one->name) == 0)
            continue;
        snprintf(below, sizeof below, "%s.%s", path, one->name);
        cs_key_row(table, below, one);
    }
}

static void tell(const char *path, const cs_key *key, cs_table *table)
{
    char allowed[1024];

    if (table != NULL) {
        put_rows(table, path, key);
        return;
    }

    printf("%s\n\n", path);
    put("what", key->text);
    put("allowed", cs_key_allowed(key, allowed, sizeof allowed));
    put("unit", key->unit != NULL ? key->unit : "");
    put("default", cs_key_default(key, "none: required"));
    print_words(key);
    put("page", page_of(path));
    print_users(path);
    if (key->shape != NULL)
        print_below(key);
}

/* ---- figures ---- */

/* By its key, or as it is printed. */
static const cs_figure_row *figure_named(const char *name)
{
    const cs_figure_row *row;

    for (size_t i = 0; (row = cs_figure_row_at(i)) != NULL; i++)
        if (strcasecmp(row->key, name) == 0 || strcasecmp(row->label, name) == 0)
            return row;
    return NULL;
}

/* In the columns of a key: nobody may set it. */
static void put_figure(cs_table *table, const cs_figure_row *row)
{
    const cs_table_cell cells[CS_KEY_COLUMNS] = {
        {.name = row->key}, {0}, {.name = row->unit}, {0}, {.name = row->text}};

    cs_table_row(table, cells);
}

static void tell_figure(const cs_figure_row *row, cs_table *table)
{
    if (table != NULL) {
        put_figure(table, row);
        return;
    }
    printf("%s, a figure of results\n\n", row->key);
    put("what", row->text);
    put("printed", row->label);
    put("unit", row->unit);
    put("group", cs_figure_groups[row->group]);
}

/* Prints them, or adds them to a table, unless they are only to be counted. */
static size_t each_figure(const char *wanted, bool count_only, cs_table *table)
{
    const cs_figure_row *row;
    size_t count = 0;

    for (size_t i = 0; (row = cs_figure_row_at(i)) != NULL; i++)
        if (text_has(row->key, wanted) || text_has(row->label, wanted) ||
            text_has(row->text, wanted)) {
            if (!count_only && table == NULL && count == 0)
                printf("Figures of results:\n");
            if (!count_only && table == NULL)
                print_line(row->key, row->text);
            else if (!count_only)
                put_figure(table, row);
            count++;
        }
    return count;
}

/* All that has the words in its name or in its text; false: nothing has. */
static bool search_words(const char *wanted, cs_table *table)
{
    const size_t most = table != NULL ? SIZE_MAX : MOST_HITS;
    size_t keys, figures;

    if (strlen(wanted) < 3)
        return false;
    keys = each_hit(wanted, names_it, 0, NULL, NULL) + each_hit(wanted, tells_of_it, 0, NULL, NULL);
    figures = each_figure(wanted, true, NULL);
    if (keys + figures == 0)
        return false;
    if (table == NULL)
        printf("there is no key '%s'.\n", wanted);
    if (table == NULL && keys != 0)
        printf("Keys with this text in their name or description:\n");
    each_hit(wanted, names_it, most, NULL, table);
    each_hit(wanted, tells_of_it, most, NULL, table);
    each_figure(wanted, false, table);
    return true;
}

static int refuse(const cs_command *command, const char *given, const char *path)
{
    search s = {.wanted = path, .suggest = cs_suggest_begin(path)};

    cs_scenario_keys(look, &s);
    for (size_t i = 0; cs_figure_row_at(i) != NULL; i++)
        offer(&s, cs_figure_row_at(i)->key, cs_figure_row_at(i)->key);
    if (cs_suggest_end(&s.suggest) != NULL)
        return cs_cli_usage(command, "there is no key '%s'; did you mean '%s'?", given, s.nearest);
    if (s.begun[0] != '\0')
        return cs_cli_usage(command, "there is no key '%s'; did you mean '%s'?", given, s.begun);
    return cs_cli_usage(command,
                        "there is no key or figure '%s', and no description contains it "
                        "(countersink list --scenario has all keys)",
                        given);
}

static int explain(const cs_command *command, const char *given, cs_table *table)
{
    char path[PATH], only[PATH];
    const cs_key *key;

    general(given, path);
    key = cs_scenario_key(path);
    if (key != NULL) {
        tell(path, key, table);
        return EXIT_GOOD;
    }
    const size_t ends = each_hit(path, ends_so, 0, only, NULL);

    if (ends == 1) {
        tell(only, cs_scenario_key(only), table);
        return EXIT_GOOD;
    }
    if (ends > 1) {
        if (table == NULL)
            printf("%zu keys have this name:\n", ends);
        each_hit(path, ends_so, ends, NULL, table);
        return EXIT_GOOD;
    }
    const cs_figure_row *figure = figure_named(given);

    if (figure != NULL) {
        tell_figure(figure, table);
        return EXIT_GOOD;
    }
    return search_words(given, table) ? EXIT_GOOD : refuse(command, given, path);
}

static int explain_all(const cs_args *args, cs_table *table)
{
    int status = EXIT_GOOD;

    for (int i = 0; i < args->nr_operands; i++) {
        if (i != 0 && table == NULL)
            printf("\n");
        fflush(stdout);
        const int one = explain(args->command, args->operands[i], table);

        status = status == EXIT_GOOD ? one : status;
    }
    return status;
}

static int run(cs_args *args)
{
    const cs_text_sink sink = {cs_cli_write, NULL};
    cs_table_format format = CS_TABLE_TEXT;
    cs_table table;
    int id, status = EXIT_GOOD;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        status = id == 'f' ? cs_table_take(&format, args) : args->status;
        if (id != 'f' || status != EXIT_GOOD)
            return status;
    }
    if (format == CS_TABLE_TEXT)
        return explain_all(args, NULL);
    cs_table_begin(&table, format, &sink);
    cs_table_columns(&table, cs_key_columns, CS_KEY_COLUMNS);
    status = explain_all(args, &table);
    cs_table_end(&table);
    return status;
}

static const cs_option options[] = {CS_OPTION_TABLE, {0}};

static const cs_example examples[] = {
    {"explain bus.clock_mhz", "what it does, what is allowed, which scenarios use it"},
    {"explain pmcu", "a section, and the keys below it"},
    {"explain sample_period", "several keys have this name: a list of them"},
    {"explain hotplug", "not a key: all keys with the word in their name or text"},
    {"explain blind_fraction", "a figure that `run` and `sweep` print"},
    {"explain -f json pmcu", "a row per key"},
    {0},
};

const cs_command cs_command_explain = {
    .name = "explain",
    .summary = "explain a scenario key or a printed figure: meaning, allowed values, examples",
    .options = options,
    .operand = {"KEY", "key", CS_VALUE_KEY, 1, CS_OPERANDS_ANY},
    .text =
        "The last part of a key is enough. Where several keys have it, they are listed; any other "
        "word is searched in the names and texts of all keys and figures. As csv or json there is "
        "a row per key or figure, and one per allowed word that has a meaning of its own, "
        "KEY=WORD.",
    .examples = examples,
    .ends = "0 good, 2 bad use: there is no such key or figure",
    .run = run,
};
