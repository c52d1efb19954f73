#include <countersink/version.h>

const char *countersink_version(void)
{
    return COUNTERSINK_VERSION_TEXT;
}
