#include "drivers/rotation/rotated.h"

const cs_soft_kind cs_soft_rotated = {"rotated count"};
