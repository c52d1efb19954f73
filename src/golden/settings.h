/* Internal to golden: settings of a model as words "name=number". */
#ifndef CS_GOLDEN_SETTINGS_H
#define CS_GOLDEN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_golden_setting {
    const char *name;
    uint64_t *value;
    uint64_t most;
} cs_golden_setting;

#define CS_GOLDEN_ERROR_BYTES 1280u
/* Why the last of all models was refused. */
extern char cs_golden_reason[CS_GOLDEN_ERROR_BYTES];

/* Words between blanks, commas and ends of lines. False: cs_golden_reason says what is wrong. */
bool cs_golden_read_settings(const char *text, const cs_golden_setting *rows, size_t nr_rows);

#endif
