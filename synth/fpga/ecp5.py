# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The devices: their sizes, and what exceeds them."""

# LFE5U of Lattice, as nextpnr counts their parts.
PACKAGE, GRADE = "CABGA381", 6
PARTS = {"luts": "LUTs", "flops": "flops", "block_rams": "block RAMs", "multipliers": "multipliers"}
DEVICES = {"25k": {"luts": 24288, "flops": 24288, "block_rams": 56, "multipliers": 28},
           "45k": {"luts": 43848, "flops": 43848, "block_rams": 108, "multipliers": 72},
           "85k": {"luts": 83640, "flops": 83640, "block_rams": 208, "multipliers": 156}}
BELS = {"luts": "TRELLIS_COMB", "flops": "TRELLIS_FF", "block_rams": "DP16KD", "lut_rams": "TRELLIS_RAMW",
        "multipliers": "MULT18X18D"}
# LUTs that a cell of the netlist takes. A carry cell is two; a LUT RAM of 16 x 4 takes four, and its write port two.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


def name(device):
    """Returns the vendor's name of a device."""
    return f"LFE5U-{device[:-1]}F"


def counts(cells):
    """Returns the parts that cells of a netlist take: {type: number} -> {part: number}."""
    return {"luts": sum(n * LUTS.get(kind, 0) for kind, n in cells.items()), "flops": cells.get("TRELLIS_FF", 0),
            "block_rams": cells.get("DP16KD", 0), "multipliers": cells.get("MULT18X18D", 0),
            "lut_rams": cells.get("TRELLIS_DPR16X4", 0)}


def too_large(used, device):
    """Returns what exceeds the device, as text, or ""."""
    return ", ".join(f"{used[part]:,} {name} of {DEVICES[device][part]:,}" for part, name in PARTS.items()
                     if used[part] > DEVICES[device][part])


def share(used, device):
    """Returns {part: per cent of the device}."""
    return {part: round(100 * used[part] / n, 2) for part, n in DEVICES[device].items()}
