// SPDX-License-Identifier: Apache-2.0
/* What comes with the program: scenarios, and the files that they name. */
#ifndef CS_SCENARIO_YAML_SHARED_H
#define CS_SCENARIO_YAML_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The folder in which configs/ and sweeps/ lie: above a build tree, or where the program was installed. False:
 * there is none. */
bool cs_shared_root(char *out, size_t size);

/* Where a file lies that a scenario names: beside it, in `folder`; "<folder/x.dts>" is one of configs/ of what comes
 * with the program, whoever has the scenario. False: those are not there. */
bool cs_scenario_file(const char *folder, const char *name, char *out, size_t size);

/* How the line begins by which editors find the schema; its path follows. It is the first of a file. */
#define CS_SHARED_MODELINE "# yaml-language-server: $schema="

/* The text behind that line, which is of no use in another folder; all of it where there is none. */
const char *cs_scenario_body(const char *text);

#ifdef __cplusplus
}
#endif

#endif
