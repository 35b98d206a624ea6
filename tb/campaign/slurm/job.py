#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# What Snakemake hands to srun, with a job's properties filled in: the job itself, without a second Snakemake around it.
import json
import os

job = json.loads(r'''{properties}''')
os.chdir(job["params"]["top"])
os.execvp("python3", ["python3", "tb/campaign", "--job", job["params"]["run"], job["wildcards"]["job"]])
