#include "hpm_bench.hpp"
