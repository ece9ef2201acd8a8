"""Prints the mutants of mutmut of a file of Python: `python with_mutmut.py <file>`."""

import json
import os
import sys
import tempfile

from mutmut.mutation.file_mutation import create_mutations

name = os.path.abspath(sys.argv[1])
with open(name, encoding="utf-8") as file:
    source = file.read()

with tempfile.TemporaryDirectory() as folder:
    # mutmut reads its settings, and wants to see a project.
    os.chdir(folder)
    os.mkdir("src")
    module, mutations, _, _ = create_mutations(name, source)
    os.chdir("/")

print(
    json.dumps(
        [
            {
                "operator": type(mutation.original_node).__name__,
                "source": module.deep_replace(mutation.original_node, mutation.mutated_node).code,
            }
            for mutation in mutations
            # As mutmut does: what is outside a function runs once, when the file is loaded.
            if mutation.contained_by_top_level_function is not None
        ]
    )
)
