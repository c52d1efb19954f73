// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli/cli.h"
#include "cli/help/help.h"

/* What is completed, and what is put before each word that is offered. */
typedef struct ask {
    FILE *out;
    const char *begun;
    const char *before; /* "--set=" */
} ask;

static void offer(void *ctx, const char *word, const char *text)
{
    const ask *a = ctx;

    if (strncmp(word, a->begun, strlen(a->begun)) != 0)
        return;
    fprintf(a->out, "%s%s\t%.*s\n", a->before, word, text != NULL ? (int)strcspn(text, "\n") : 0,
            text != NULL ? text : "");
}

static void offer_value(ask *a, cs_value is, const cs_choice *choices)
{
    static const char *const files[] = {
        [CS_VALUE_FILE] = ":files", [CS_VALUE_FOLDER] = ":folders", [CS_VALUE_YAML] = ":yaml"};

    for (; choices != NULL && choices->name != NULL; choices++)
        offer(a, choices->name, choices->text);
    if ((size_t)is < sizeof files / sizeof files[0] && files[is] != NULL)
        fprintf(a->out, "%s\n", files[is]);
    else
        cs_words(is, a->begun, offer, a);
}

/* The option of a word, "--output", "--output=..." or "-o"; *joined where its value is in the word. */
static bool option_of(const cs_command *command, const char *word, cs_option *out, bool *joined)
{
    for (size_t i = 0; cs_option_at(command, i, out); i++) {
        const size_t bytes = strlen(out->name);

        if (word[0] == '-' && word[1] != '-' && word[1] == out->id) {
            *joined = word[1] != '\0' && word[2] != '\0';
            return true;
        }
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, out->name, bytes) == 0 &&
            (word[2 + bytes] == '\0' || word[2 + bytes] == '=')) {
            *joined = word[2 + bytes] == '=';
            return true;
        }
    }
    return false;
}

static void offer_options(ask *a, const cs_command *command)
{
    cs_option option;
    char name[80];

    for (size_t i = 0; cs_option_at(command, i, &option); i++) {
        snprintf(name, sizeof name, "--%s", option.name);
        if (!option.hidden)
            offer(a, name, option.text);
    }
    offer(a, "--help", "print this help");
}

static void complete_command(const cs_command *command, char *const words[], int count, ask *a)
{
    const char *last = words[count - 1];
    const char *equals = strchr(last, '=');
    bool joined = false, ended = false;
    cs_option option;

    for (int i = 0; i + 1 < count; i++) {
        ended |= strcmp(words[i], "--") == 0;
        if (ended || words[i][0] != '-' || !option_of(command, words[i], &option, &joined) ||
            joined || option.value == NULL)
            continue;
        if (i + 2 == count) { /* the value is what is being typed */
            offer_value(a, option.is, option.choices);
            return;
        }
        i++;
    }
    if (!ended && strncmp(last, "--", 2) == 0 && equals != NULL) {
        char before[80];

        if (option_of(command, last, &option, &joined) && option.value != NULL) {
            snprintf(before, sizeof before, "--%s=", option.name);
            a->before = before;
            a->begun = equals + 1;
            offer_value(a, option.is, option.choices);
        }
    } else if (!ended && last[0] == '-') {
        offer_options(a, command);
    } else if (command->operand.most != 0) {
        offer_value(a, command->operand.is, NULL);
    }
}

void cs_complete(char *const words[], int count, FILE *out)
{
    ask a = {.out = out, .begun = count > 0 ? words[count - 1] : "", .before = ""};
    const cs_command *command;

    if (count <= 1) {
        cs_words(CS_VALUE_COMMAND, a.begun, offer, &a);
        if (a.begun[0] == '-') {
            offer(&a, "--help", "print this help");
            offer(&a, "--version", "what this is, and what it was built with");
        }
        return;
    }
    for (size_t i = 0; (command = cs_command_at(i)) != NULL; i++)
        if (strcmp(command->name, words[0]) == 0)
            complete_command(command, words + 1, count - 1, &a);
}
