#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# A Slurm of this machine alone, with its own munge, for tests: all its files are in one folder, and no other Slurm or
# munge is touched. Must run as root, which munge and slurmd require. Debian packages: slurm-wlm, munge.
#   slurm.sh up DIR       sets it up; SLURM_CONF=DIR/slurm.conf then directs sbatch, srun and squeue to it
#   slurm.sh node DIR     starts the node's slurmd (again)
#   slurm.sh down DIR     ends it and removes the folder
#   slurm.sh can          prints in one line what is missing, and fails, if it cannot run here
set -eu

die() {
  echo "slurm.sh: $*" >&2
  exit 1
}

can() {
  for command in slurmctld slurmd srun sinfo munged; do
    [ -n "$(command -v $command)" ] || die "there is no $command (Debian packages slurm-wlm, munge)"
  done
  [ "$(id -u)" = 0 ] || die "munge and slurmd want root"
}

# A free port.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

configure() {
  host=$(hostname -s)
  cat > "$dir/slurm.conf" << END
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SchedulerParameters=sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=heddle Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
}

node() {
  slurmd
  for _ in $(seq 100); do
    case $(sinfo -h -o %t 2> "$dir/sinfo.log") in idle | mix | alloc) return 0 ;; esac
    sleep 0.3
  done
  die "the node does not come up: $(sinfo -h -o '%t %E' 2>&1; tail -n 2 "$dir/slurmd.log")"
}

up() {
  can
  mkdir -p "$dir/state" "$dir/spool"
  chmod 755 "$dir"
  configure
  dd if=/dev/urandom of="$dir/munge.key" bs=128 count=1 status=none
  chmod 600 "$dir/munge.key"
  munged --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munged.seed" 2> "$dir/munged.err" || die "$(cat "$dir/munged.err")"
  slurmctld
  node
}

ends() { # NAME: kills the process in its pid file, and waits for its end
  [ -s "$dir/$1.pid" ] || return 0
  pid=$(cat "$dir/$1.pid")
  kill "$pid" 2> "$dir/kill.log" || return 0
  for _ in $(seq 100); do kill -0 "$pid" 2> "$dir/kill.log" || return 0; sleep 0.1; done
  kill -9 "$pid"
}

down() {
  [ -d "$dir" ] || return 0
  scancel --user=root 2> "$dir/scancel.log" || :
  for name in slurmd slurmctld munged; do ends $name; done
  rm -rf "$dir"
}

PATH=$PATH:/usr/sbin
case ${1-}:${2+given} in
  can:) can; exit ;;
  up:given | node:given | down:given) ;;
  *) echo "usage: slurm.sh up|node|down DIR, slurm.sh can" >&2; exit 2 ;;
esac
mkdir -p "$2"
dir=$(cd "$2" && pwd)
SLURM_CONF=$dir/slurm.conf
export SLURM_CONF
"$1"
