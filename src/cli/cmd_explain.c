/* Explains a key of a scenario. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help/wrap.h"
#include "cli/shared.h"
#include "scenario/keys.h"
#include "scenario/section_list.h"
#include "scenario/yaml/suggest.h"

#define PATH 256u
#define MOST_USERS 8u

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

typedef struct search {
    const char *path;
    const cs_key *found;
    cs_suggest suggest;
    char nearest[PATH];
    char begun[PATH]; /* the longest key that the wanted one begins with, up to a word's end */
    FILE *out;
    size_t below; /* keys right below it */
} search;

static bool look(void *ctx, const char *path, const cs_key *key)
{
    search *s = ctx;
    const unsigned before = s->suggest.distance;

    if (strcmp(path, s->path) == 0) {
        s->found = key;
        return false;
    }
    const size_t bytes = strlen(path);

    if (bytes > strlen(s->begun) && strchr(path, '.') != NULL &&
        strncmp(path, s->path, bytes) == 0 && strchr("_.[", s->path[bytes]) != NULL)
        snprintf(s->begun, sizeof s->begun, "%s", path);
    cs_suggest_offer(&s->suggest, path);
    /* The path is the walk's own, and changes. */
    if (s->suggest.distance != before)
        snprintf(s->nearest, sizeof s->nearest, "%s", path);
    return true;
}

/* The key whose last word this is, where only one has it. */
static bool look_at_end(void *ctx, const char *path, const cs_key *key)
{
    search *s = ctx;
    const size_t bytes = strlen(path), wanted = strlen(s->path);

    (void)key;
    if (bytes > wanted && path[bytes - wanted - 1] == '.' &&
        strcmp(path + bytes - wanted, s->path) == 0) {
        s->below++;
        snprintf(s->nearest, sizeof s->nearest, "%s", path);
    }
    return true;
}

static bool print_below(void *ctx, const char *path, const cs_key *key)
{
    search *s = ctx;
    const size_t bytes = strlen(s->path);
    const char *rest = path + bytes;

    if (strncmp(path, s->path, bytes) != 0)
        return true;
    rest += strncmp(rest, "[]", 2) == 0 ? 2 : 0;
    if (*rest != '.' || strpbrk(rest + 1, ".") != NULL)
        return true;
    if (s->below++ == 0)
        fprintf(s->out, "\nBelow it:\n");
    cs_wrap(s->out, key->text, (unsigned)fprintf(s->out, "  %-24s ", rest + 1), 27,
            cs_columns(s->out, 92));
    return true;
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

static void print_users(const char *path, FILE *out)
{
    char root[1024], *names[CS_SHARED_MOST];
    size_t count = 0, users = 0;

    if (!cs_shared_folder("configs", root, sizeof root))
        return;
    count = cs_shared_scenarios(root, names);
    for (size_t i = 0; i < count; i++) {
        char *text = cs_shared_read(root, names[i]);

        if (text != NULL && says(text, path) && users++ < MOST_USERS)
            fprintf(out, "%s%s\n", users == 1 ? "used by   " : "          ", names[i]);
        free(text);
        free(names[i]);
    }
    if (users > MOST_USERS)
        fprintf(out, "          and %zu more\n", users - MOST_USERS);
}

/* ---- telling ---- */

static void put(FILE *out, const char *title, const char *text)
{
    if (*text != '\0')
        cs_wrap(out, text, (unsigned)fprintf(out, "%-9s ", title), 10, cs_columns(out, 92));
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

static void tell(const char *path, const cs_key *key, FILE *out)
{
    char allowed[1024];
    search s = {.path = path, .out = out};

    fprintf(out, "%s\n\n", path);
    put(out, "what", key->text);
    put(out, "allowed", cs_key_allowed(key, allowed, sizeof allowed));
    put(out, "unit", key->unit != NULL ? key->unit : "");
    if (key->fallback == NULL)
        put(out, "default", "none: it has to be there");
    else if (*key->fallback == '=')
        put(out, "default", key->fallback + 1);
    else
        put(out, "default", key->fallback);
    put(out, "page", page_of(path));
    print_users(path, out);
    bool any = false;

    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++)
        if (c->text != NULL && *c->text != '\0') {
            fprintf(out, "%s", any ? "" : "\nIts words:\n");
            any = true;
            cs_wrap(out, c->text, (unsigned)fprintf(out, "  %-24s ", c->name), 27,
                    cs_columns(out, 92));
        }
    if (key->type == CS_KEY_MAP || key->type == CS_KEY_LIST)
        cs_scenario_keys(print_below, &s);
}

static int refuse(const cs_command *command, const char *given, const search *s)
{
    if (cs_suggest_end(&s->suggest) != NULL)
        return cs_cli_usage(command, "there is no key '%s'; did you mean '%s'?", given, s->nearest);
    if (s->begun[0] != '\0')
        return cs_cli_usage(command, "there is no key '%s'; did you mean '%s'?", given, s->begun);
    return cs_cli_usage(command, "there is no key '%s' (countersink list --scenario has all)",
                        given);
}

static int explain(const cs_command *command, const char *given)
{
    char path[PATH];
    search s = {.path = path}, end = {.path = path};

    general(given, path);
    s.suggest = cs_suggest_begin(path);
    cs_scenario_keys(look, &s);
    if (s.found == NULL) {
        cs_scenario_keys(look_at_end, &end);
        if (end.below == 1) {
            snprintf(path, sizeof path, "%s", end.nearest);
            cs_scenario_keys(look, &s);
        }
    }
    if (s.found == NULL)
        return refuse(command, given, &s);
    tell(path, s.found, stdout);
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    int status = EXIT_GOOD;
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        if (id == CS_ARGS_STOP)
            return args->status;
    for (int i = 0; i < args->nr_operands; i++) {
        if (i != 0)
            printf("\n");
        fflush(stdout);
        const int one = explain(args->command, args->operands[i]);

        status = status == EXIT_GOOD ? one : status;
    }
    return status;
}

static const cs_example examples[] = {
    {"explain bus.clock_mhz", "what it does, what is allowed, and which scenarios use it"},
    {"explain pmcu", "a section, and the keys below it"},
    {0},
};

const cs_command cs_command_explain = {
    .name = "explain",
    .summary = "tell what a key of a scenario does, what it may be, and who uses it",
    .operand = {"KEY", "key", CS_VALUE_KEY, 1, CS_OPERANDS_ANY},
    .text = "The last word of a key is enough where only one key ends so.",
    .examples = examples,
    .ends = "0 good, 2 bad use: there is no such key",
    .run = run,
};
