// SPDX-License-Identifier: Apache-2.0
/* The text of TSDL a token at a time, and what is said of an error in it. */
#include "formats/ctf/read/tsdl_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cs_tsdl_fail(cs_tsdl_parser *p, cs_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    unsigned line = 1;
    const char *start = p->text;

    if (p->status != CS_OK)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = p->text; c < p->begin; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    p->status = cs_diag_set_at(p->diag, status, p->name, line, (unsigned)(p->begin - start) + 1,
                               "byte 0x%zx: %s", (size_t)(p->begin - p->text), text);
    p->token = TOKEN_END;
    p->at = p->end;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(cs_tsdl_parser *p)
{
    while (p->at < p->end) {
        const size_t left = (size_t)(p->end - p->at);

        if (strchr(" \t\r\n", *p->at) != NULL && *p->at != '\0') {
            p->at++;
        } else if (left >= 2 && memcmp(p->at, "//", 2) == 0) {
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        } else if (left >= 2 && memcmp(p->at, "/*", 2) == 0) {
            p->begin = p->at;
            for (p->at += 2; p->at + 1 < p->end && memcmp(p->at, "*/", 2) != 0;)
                p->at++;
            if (p->at + 1 >= p->end) {
                cs_tsdl_fail(p, CS_ERR_FORMAT, "a comment without its end, expected */");
                return;
            }
            p->at += 2;
        } else {
            return;
        }
    }
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 16;
}

/* The number that up to `most` digits say, which begin at the parser's place; it moves to the last of them. */
static char number_of(cs_tsdl_parser *p, unsigned base, size_t most)
{
    const size_t left = (size_t)(p->end - p->at);
    unsigned number = 0;
    size_t digits = 0;

    for (; digits < most && digits < left && digit_of(p->at[digits]) < base; digits++)
        number = number < 256 ? number * base + digit_of(p->at[digits]) : number;
    p->at += digits;
    p->at--;
    return number < 256 ? (char)(uint8_t)number : '\0';
}

/* What stands behind a backslash, as in C; the parser moves to its end. Any other character stands for
 * itself. 0: it is none. */
static char escaped(cs_tsdl_parser *p)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    const char c = *p->at;
    const char *found = c != '\0' ? strchr(from, c) : NULL;

    if (found != NULL)
        return to[found - from];
    if (c == 'x') {
        p->at++;
        return number_of(p, 16, SIZE_MAX);
    }
    return digit_of(c) < 8 ? number_of(p, 8, 3) : c;
}

static void lex_string(cs_tsdl_parser *p)
{
    size_t bytes = 0;

    for (p->at++; p->at < p->end && *p->at != '"'; p->at++) {
        char c = *p->at;

        if (c == '\n' || bytes + 1 >= WORD_BYTES) {
            cs_tsdl_fail(p, CS_ERR_FORMAT,
                         "a string with a new line in it, or longer than %d bytes", WORD_BYTES - 1);
            return;
        }
        if (c == '\\' && p->at + 1 < p->end) {
            p->at++;
            c = *p->at != '\n' ? escaped(p) : '\0';
        }
        if (c == '\0') {
            cs_tsdl_fail(p, CS_ERR_FORMAT, "a string with a character that is none of 1..255");
            return;
        }
        p->word[bytes++] = c;
    }
    if (p->at >= p->end) {
        cs_tsdl_fail(p, CS_ERR_FORMAT, "a string without its end, expected '\"'");
        return;
    }
    p->at++;
    p->word[bytes] = '\0';
    p->token = TOKEN_STRING;
}

static void lex_word(cs_tsdl_parser *p)
{
    size_t bytes = 0;
    char *end;

    while (p->at < p->end && is_word(*p->at) && bytes + 1 < WORD_BYTES)
        p->word[bytes++] = *p->at++;
    p->word[bytes] = '\0';
    p->token = TOKEN_WORD;
    if (p->word[0] < '0' || p->word[0] > '9')
        return;
    p->token = TOKEN_NUMBER;
    errno = 0;
    p->number = strtoull(p->word, &end, 0);
    while (*end != '\0' && strchr("uUlL", *end) != NULL)
        end++;
    if (errno != 0 || *end != '\0')
        cs_tsdl_fail(p, CS_ERR_FORMAT, "found '%.40s', expected a number of at most 64 bits",
                     p->word);
}

void cs_tsdl_advance(cs_tsdl_parser *p)
{
    static const struct {
        char text[4];
        int token;
    } signs[] = {{":=", TOKEN_ASSIGN}, {"...", TOKEN_DOTS}};

    skip_blanks(p);
    if (p->status != CS_OK)
        return;
    p->begin = p->at;
    p->token = TOKEN_END;
    if (p->at >= p->end)
        return;
    if (*p->at == '"') {
        lex_string(p);
        return;
    }
    if (is_word(*p->at)) {
        lex_word(p);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const size_t length = strlen(signs[i].text);

        if ((size_t)(p->end - p->at) >= length && memcmp(p->at, signs[i].text, length) == 0) {
            p->at += length;
            p->token = signs[i].token;
            return;
        }
    }
    if (*p->at == '\0' || strchr("{}[]<>;,.:=-+*()", *p->at) == NULL) {
        cs_tsdl_fail(p, CS_ERR_FORMAT, "found byte 0x%02x, expected TSDL",
                     (unsigned)(uint8_t)*p->at);
        return;
    }
    p->token = *p->at++;
}

void cs_tsdl_unexpected(cs_tsdl_parser *p, const char *expected)
{
    const size_t left = (size_t)(p->at - p->begin);

    if (p->begin >= p->end)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "the file ends, expected %s", expected);
    else
        cs_tsdl_fail(p, CS_ERR_FORMAT, "found '%.*s', expected %s", (int)(left < 40 ? left : 40),
                     p->begin, expected);
}

bool cs_tsdl_take(cs_tsdl_parser *p, int token)
{
    if (p->status != CS_OK || p->token != token)
        return false;
    cs_tsdl_advance(p);
    return true;
}

void cs_tsdl_expect(cs_tsdl_parser *p, int token, const char *expected)
{
    if (!cs_tsdl_take(p, token))
        cs_tsdl_unexpected(p, expected);
}

bool cs_tsdl_is(const cs_tsdl_parser *p, const char *word)
{
    return p->token == TOKEN_WORD && strcmp(p->word, word) == 0;
}

bool cs_tsdl_take_word(cs_tsdl_parser *p, const char *word)
{
    if (!cs_tsdl_is(p, word))
        return false;
    cs_tsdl_advance(p);
    return true;
}

uint64_t cs_tsdl_take_number(cs_tsdl_parser *p)
{
    const bool minus = cs_tsdl_take(p, '-');
    const uint64_t number = p->number;

    if (p->token != TOKEN_NUMBER)
        cs_tsdl_unexpected(p, "a number");
    cs_tsdl_advance(p);
    return minus ? 0 - number : number;
}

void cs_tsdl_take_key(cs_tsdl_parser *p, char *key, size_t bytes)
{
    size_t at = 0;

    key[0] = '\0';
    do {
        if (p->token != TOKEN_WORD && p->token != TOKEN_STRING) {
            cs_tsdl_unexpected(p, "the name of an attribute");
            return;
        }
        at += (size_t)snprintf(key + at, bytes - at, "%s%s", at > 0 ? "." : "", p->word);
        if (at >= bytes) {
            cs_tsdl_fail(p, CS_ERR_FORMAT, "a name of more than %zu bytes", bytes - 1);
            return;
        }
        cs_tsdl_advance(p);
    } while (cs_tsdl_take(p, '.'));
}

void cs_tsdl_skip_value(cs_tsdl_parser *p)
{
    while (p->status == CS_OK && p->token != ';' && p->token != TOKEN_END && p->token != '{' &&
           p->token != '}')
        cs_tsdl_advance(p);
}
