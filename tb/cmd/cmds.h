/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle: the subcommands. Each takes its own argv (argv[0] is its name) and returns an exit code: enum hd_verdict. */
#ifndef HD_CMDS_H
#define HD_CMDS_H

int hd_cmd_run(int argc, char **argv);
int hd_cmd_example(int argc, char **argv);
int hd_cmd_graph(int argc, char **argv);
int hd_cmd_deplinks(int argc, char **argv); /* heddle graph deplinks */
int hd_cmd_import(int argc, char **argv);
int hd_cmd_equiv(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);
int hd_cmd_wave(int argc, char **argv);
int hd_cmd_faults(int argc, char **argv);
int hd_cmd_mutants(int argc, char **argv);
int hd_cmd_prove(int argc, char **argv);
int hd_cmd_area(int argc, char **argv);
int hd_cmd_fpga(int argc, char **argv);
int hd_cmd_campaign(int argc, char **argv);
int hd_cmd_sweep(int argc, char **argv);
int hd_cmd_channels(int argc, char **argv);
int hd_cmd_gpu(int argc, char **argv);
int hd_cmd_bench(int argc, char **argv);

#endif
