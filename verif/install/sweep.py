# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A sweep in a dozen lines: eight kernels of 200 TBs on more and more SMXs. docs/library.md explains it."""
import heddle

kernels = [{"grid": (200,), "cta": (256,), "regs": 32, "hwq": k} for k in range(8)]
print("SMXs  cycles  TBs per cycle")
for smxs in (1, 2, 4, 8, 13):
    with heddle.Plane("k20c", NumSmx=smxs) as plane:
        result = plane.run(kernels, lambda tb: 400 + tb.blkid % 7 * 50)
    print(f"{smxs:4}  {result.cycles:6}  {result.dispatches / result.cycles:13.4f}")
