# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The options of a subcommand that is a Python program."""
import argparse


class Parser(argparse.ArgumentParser):
    """Help and complaints in the form of the other subcommands."""

    def format_help(self):
        return super().format_help().replace("usage:", "Usage:", 1)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help' for more information.\n")
