// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/cpu_texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenario/cpus.h"

cs_cpu_texts_type cs_cpu_texts;

__attribute__((format(printf, 2, 3))) static void add(char text[CS_CPU_TEXT_BYTES],
                                                      const char *format, ...)
{
    const size_t length = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + length, CS_CPU_TEXT_BYTES - length, format, args);
    va_end(args);
}

static const char *mode_name(const cs_cpu_class *kind, cs_privilege mode)
{
    const cs_key_choice *choice = kind->modes;

    while (choice->value != mode)
        choice++;
    return choice->name;
}

static void gather_modes(void)
{
    size_t count = 0;

    for (size_t i = 0; cs_cpu_classes[i] != NULL; i++)
        for (const cs_key_choice *mode = cs_cpu_classes[i]->modes; mode->name != NULL; mode++)
            if (count + 1 < CS_CPU_MODES)
                cs_cpu_texts.modes[count++] = *mode;
}

/* "PID" of those whose word is the same; `offset` is that of the word. */
static void add_cid(char text[CS_CPU_TEXT_BYTES], size_t offset)
{
    const char *last = NULL;

    for (size_t i = 0; cs_cpu_classes[i] != NULL; i++) {
        const cs_cpu_words *words = &cs_cpu_classes[i]->words;
        const char *word;

        memcpy(&word, (const char *)words + offset, sizeof word);
        if (word == NULL)
            continue;
        if (i == 0) {
            add(text, "%s", word);
            continue;
        }
        if (last != NULL && strcmp(last, word) != 0)
            add(text, " its %s", last);
        add(text, "%s %s", last != NULL && strcmp(last, word) == 0 ? " or" : "; of", words->task);
        last = word;
    }
    if (last != NULL)
        add(text, " its %s", last);
}

void cs_make_cpu_texts(void)
{
    cs_cpu_texts_type *t = &cs_cpu_texts;

    gather_modes();
    add(t->workloads, "what the cores do; a core without one is idle: ");
    add(t->events, "what counts in it; ");
    for (size_t i = 0; cs_cpu_classes[i] != NULL; i++) {
        const cs_cpu_class *kind = cs_cpu_classes[i];
        const bool first = i == 0, second = i == 1, last = cs_cpu_classes[i + 1] == NULL;
        const char *work = mode_name(kind, kind->work), *idle = mode_name(kind, kind->idle);

        add(t->mode, "%s%s", first ? "" : last ? ", or " : ", ", kind->words.mode);
        if (first) {
            add(t->mode_fallback, "=%s", work);
            add(t->workloads, "%s", idle);
            add(t->events, "%s", kind->words.implicit);
            continue;
        }
        add(t->mode_fallback, "; on %s %s", kind->words.cores, work);
        if (kind->tracks == NULL && kind->handler != kind->work)
            add(t->mode_fallback, ", %s in their handler", mode_name(kind, kind->handler));
        add(t->workloads, "%s%s %s", second ? " (" : ", ", kind->words.brief, idle);
        add(t->events, "%s%s", second ? " (" : "; ", kind->words.implicit);
    }
    add(t->workloads, "), and only cycles count");
    add(t->events, ") counts unless given");
    add_cid(t->cid1, offsetof(cs_cpu_words, cid1));
    add_cid(t->cid2, offsetof(cs_cpu_words, cid2));
}
