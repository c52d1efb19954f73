// SPDX-License-Identifier: Apache-2.0
/* The version of Countersink (docs/yours/rely.md, "Versions"). */
#ifndef CS_VERSION_H
#define CS_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. CMakeLists.txt reads the text, too. The names are long because Capstone has the short
 * ones, CS_VERSION_MAJOR and cs_version. */
#define COUNTERSINK_VERSION_TEXT "0.2.0"
#define COUNTERSINK_VERSION_MAJOR 0
#define COUNTERSINK_VERSION_MINOR 2
#define COUNTERSINK_VERSION_PATCH 0

/* Versions as numbers in their order. The preprocessor can compare them; parts are below 1000. */
#define COUNTERSINK_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define COUNTERSINK_VERSION                                                                        \
    COUNTERSINK_VERSION_OF(COUNTERSINK_VERSION_MAJOR, COUNTERSINK_VERSION_MINOR,                   \
                           COUNTERSINK_VERSION_PATCH)

/* The version of the library that is linked, as COUNTERSINK_VERSION_TEXT was when it was built. */
const char *countersink_version(void);

#ifdef __cplusplus
}
#endif

#endif
