// SPDX-License-Identifier: Apache-2.0
// Counts by github.com/hodgesds/perf-utils, printed to be held against the truth.
package main

import (
	"fmt"
	"os"

	perf "github.com/hodgesds/perf-utils"
)

func spin() error {
	sum := 0
	for i := 0; i < 2000000; i++ {
		sum += i * i
	}
	if sum == 1 {
		return fmt.Errorf("no sum")
	}
	return nil
}

func print(name string, value *perf.ProfileValue, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, name, err)
		os.Exit(1)
	}
	fmt.Println(name, value.Value)
}

func main() {
	value, err := perf.CPUCycles(spin)
	print("cycles", value, err)
	value, err = perf.CPUInstructions(spin)
	print("instructions", value, err)
	value, err = perf.CacheMiss(spin)
	print("cache-misses", value, err)
}
