# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema against every scenario of the project: those in configs/ and tb/scenarios/ are valid,
those in tb/scenario/bad/ are not, unless their second line is "# schema: accepts"
(what only several sections together tell).

usage: test_schema.py SOURCE_FOLDER
"""

import json
import pathlib
import sys

import jsonschema
import yaml


def main():
    source = pathlib.Path(sys.argv[1])
    schema = json.loads((source / "configs/scenario.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    count = 0

    for path in sorted([*(source / "configs").rglob("*.yaml"), *(source / "tb/scenarios").rglob("*.yaml")]):
        count += 1
        for error in validator.iter_errors(yaml.safe_load(path.read_text())):
            failures.append(f"{path}: {error.json_path}: {error.message}")

    for path in sorted((source / "tb/scenario/bad").rglob("*.yaml")):
        count += 1
        text = path.read_text()
        accepts = text.splitlines()[1] == "# schema: accepts"
        try:
            valid = validator.is_valid(yaml.safe_load(text))
        except yaml.YAMLError:
            valid = False
        if valid != accepts:
            failures.append(f"{path}: {'accepted' if valid else 'refused'} by the schema")

    print("\n".join(failures) or f"{count} scenarios")
    return 1 if failures or count < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
