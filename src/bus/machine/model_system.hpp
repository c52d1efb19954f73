// SPDX-License-Identifier: Apache-2.0
// The model system with a choice that no result depends on.
#ifndef CS_BUS_MACHINE_MODEL_SYSTEM_HPP
#define CS_BUS_MACHINE_MODEL_SYSTEM_HPP

#include "bus/system.h"

namespace cs
{

// cs_model_system_create is this with early_completion.
cs_status make_model_system(cs_environment *environment, bool early_completion, cs_system **out,
                            cs_diag *diag);

} // namespace cs

#endif
