// SPDX-License-Identifier: Apache-2.0
/* What a caller must have done, where nothing can be returned that says so: the order of cycles, or an
 * answer to what is still under way. It is the same in every build, NDEBUG or not. */
#ifndef CS_BASE_REQUIRE_H
#define CS_BASE_REQUIRE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Where the condition does not hold: writes "countersink: <text>", by printf's format, to stderr, and
 * aborts. The text names the unit, what was found and what is allowed. */
#define CS_REQUIRE(condition, ...) ((condition) ? (void)0 : cs_require_failed(__VA_ARGS__))

void cs_require_failed(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn, cold));

#ifdef __cplusplus
}
#endif

#endif
