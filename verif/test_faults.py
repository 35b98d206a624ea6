#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that tb/build/faults.py applies the edits of the planted faults correctly. Run from the top of the checkout.
Ends with `N passed, N failed`."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = ["rtl", "tb/build"]
import faults  # noqa: E402

SOURCE = """  assign sum   = a_i + b_i;  // of both
  assign after = a_i & mask
      & ~b_i;
  always_ff @(posedge clk_i) if (go_i) sum_q <= sum;
"""


class Faults(unittest.TestCase):
    def planted(self, *rows, columns="id,file,in,was,becomes"):
        """Returns SOURCE, as rtl/part.sv, with the edits of a table of these rows."""
        with tempfile.TemporaryDirectory() as folder:
            here, text = os.getcwd(), "\n".join([columns, *rows]) + "\n"
            os.makedirs(f"{folder}/verif")
            with open(f"{folder}/verif/fault_edits.csv", "w") as f:
                f.write(text)
            faults.edits.cache_clear()
            os.chdir(folder)
            try:
                return faults.planted("rtl/part.sv", SOURCE)
            finally:
                os.chdir(here)
                faults.edits.cache_clear()

    def changed(self, *rows):
        """Returns the lines of SOURCE that the edits change, without surrounding blanks."""
        lines = self.planted(*rows).split("\n")
        self.assertEqual(len(lines), len(SOURCE.split("\n")), "the lines keep their numbers")
        return [new.strip() for old, new in zip(SOURCE.split("\n"), lines) if old != new]

    def refused(self, message, *rows, **more):
        with self.assertRaisesRegex(faults.Failed, f"^verif/fault_edits.csv:{message}$"):
            self.planted(*rows, **more)

    def test_another_file(self):
        self.assertEqual(self.planted("3,other.sv,,a_i,b_i"), SOURCE)

    def test_expression(self):
        self.assertEqual(self.changed("3,part.sv,,a_i + b_i,a_i - b_i"),
                         ["assign sum   = (hd_fault_pkg::sel == 3 ? (a_i - b_i) : (a_i + b_i));  // of both"])

    def test_within(self):
        self.assertEqual(self.changed("3,part.sv,a_i + b_i,b_i,'0"),
                         ["assign sum   = a_i + (hd_fault_pkg::sel == 3 ? ('0) : (b_i));  // of both"])

    def test_white_space(self):
        self.assertEqual(self.changed("3,part.sv,assign after=a_i & mask & ~ b_i,mask&~b_i,mask"),
                         ["assign after = a_i & (hd_fault_pkg::sel == 3 ? (mask) : (mask", "& ~b_i));"])

    def test_whole_words(self):
        """`sum` is neither `sum_q` nor `assign sum`, but the last word of a line."""
        self.assertEqual(self.changed("3,part.sv,<= sum,sum,b_i"),
                         ["always_ff @(posedge clk_i) if (go_i) sum_q <= (hd_fault_pkg::sel == 3 ? (b_i) : (sum));"])
        self.refused("2: fault 3: rtl/part.sv has 'su' 0 times, not once", "3,part.sv,,su,b_i")

    def test_two_of_one_expression(self):
        self.assertEqual(self.changed("3,part.sv,,a_i + b_i,a_i", "4,part.sv,,a_i + b_i,b_i"),
                         ["assign sum   = (hd_fault_pkg::sel == 3 ? (a_i) : ((hd_fault_pkg::sel == 4 ? (b_i) : "
                          "(a_i + b_i))));  // of both"])

    def test_one_inside_the_other(self):
        self.assertEqual(self.changed("4,part.sv,a_i + b_i,b_i,'1", "3,part.sv,,a_i + b_i,a_i"),
                         ["assign sum   = (hd_fault_pkg::sel == 3 ? (a_i) : (a_i + (hd_fault_pkg::sel == 4 ? ('1) : "
                          "(b_i))));  // of both"])

    def test_statement(self):
        self.assertEqual(self.changed("3,part.sv,,if (go_i) sum_q,if (go_i && hd_fault_pkg::sel != 3) sum_q"),
                         ["always_ff @(posedge clk_i) if (go_i && hd_fault_pkg::sel != 3) sum_q <= sum;"])

    def test_wrong_edits(self):
        self.refused("2: fault 3: rtl/part.sv has 'a_i' 2 times, not once", "3,part.sv,,a_i,b_i")
        self.refused("2: fault 3: rtl/part.sv has 'a_i - b_i' 0 times, not once", "3,part.sv,a_i - b_i,a_i,b_i")
        self.refused("2: fault 3: 'a_i [+] b_i' has 'c_i' 0 times, not once".replace("[+]", r"\+"),
                     "3,part.sv,a_i + b_i,c_i,b_i")
        self.refused("3: fault 3: 'assign sum = a_i' overlaps with the text of fault 4",
                     "4,part.sv,,a_i + b_i,b_i", "3,part.sv,,assign sum = a_i,assign sum = b_i")
        self.refused("2: fault 3: another fault changes a part of 'a_i & mask'",
                     "3,part.sv,,a_i & mask,hd_fault_pkg::sel == 3 ? a_i : a_i & mask", "4,part.sv,,mask,'0")

    def test_wrong_table(self):
        self.refused("1: the columns id,file,in,was,becomes are accepted", columns="id,file,was,becomes")
        for row in ("3,part.sv,,a_i", "x,part.sv,,a_i,b_i", "3,part.sv,a_i,,b_i"):
            self.refused("2: a number, a file, a text or nothing, and two texts are accepted", row)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed")
    sys.exit(wrong != 0)
