# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Does a flat profile tell the truth?
#
# A compiler is sampled with call chains. How far is each function's share of the samples from its share
# of the truth, and how does that depend on the sampling period? Open this file in Jupyter or VS Code
# (cells begin with `# %%`), or run it: `python flat_profile.py CONFIGS`.

# %%
import pathlib
import sys

import pandas

import countersink

configs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "configs")

# %% [markdown]
# One run. What is kept is the truth, as tables, and figures.

# %%
run = countersink.run(configs / "riscv/riscv_callgraph.yaml")
print({k: run.summary[k] for k in ("simulated_ns", "hart_samples", "hart_lost")})
print(run.tables())

# %% [markdown]
# Shares of functions, sampled and true.

# %%
shares = run.table("call_share").pandas()
shares = shares[shares["command"] == 0].set_index("function")
shares["sampled"] = shares["self"] / shares["self"].sum()
print(shares[["sampled", "self_expected"]].sort_values("sampled", ascending=False))

# %% [markdown]
# The same from the file that perf would have written: each sample's innermost function.

# %%
trace = countersink.trace(configs / "riscv/riscv_callgraph.yaml", format="speedscope",
                          perf_command="riscv.perf.0")
samples = trace.read().pandas()
leaf = samples["stack"].str.rsplit(";", n=1).str[-1]
assert leaf.value_counts().to_dict() == shares.loc[shares["self"] > 0, "self"].to_dict()
assert trace.check()

# %% [markdown]
# The period is a trade: more samples, less error, more of the machine for the handler.

# %%
rows = []
for period in (25000, 50000, 100000, 200000):
    run = countersink.run(configs / "riscv/riscv_callgraph.yaml",
                          set={"perf.0.period": period})
    share = run.table("call_share").pandas()
    share = share[share["command"] == 0]
    error = (share["self"] / share["self"].sum() - share["self_expected"]).abs().sum() / 2
    rows.append({"period": period, "samples": run.summary["hart_samples"], "error": error,
                 "software": run.summary["software_fraction"]})
print(pandas.DataFrame(rows).to_string(index=False))
