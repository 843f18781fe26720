#!/bin/sh
# A match as a job array on a real Slurm: four shards, one killed half way and put back into the queue; the merged
# result must be that of one machine, to the last digit.
#
# Needs root and, on Debian: apt-get install slurmctld slurmd slurm-client munge
# Starts its own daemons in a temporary directory and ends them. Takes about a minute.
#
# Usage: arena/tests/slurm.sh [path of the arena]
set -eu
arena=$(realpath "${1:-target/release/arena}")
directory=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF="$directory/slurm.conf"
chmod 755 "$directory"
mkdir "$directory/state" "$directory/spool" "$directory/out"

end() {
    for daemon in slurmd slurmctld munged; do
        [ -f "$directory/$daemon.pid" ] || continue
        process=$(cat "$directory/$daemon.pid")
        kill "$process" 2>/dev/null || continue
        while [ -d "/proc/$process" ] && ! grep -q 'State:.*Z' "/proc/$process/status"; do sleep 0.1; done
    done
    [ -n "${keep:-}" ] || rm -rf "$directory"
}
trap end EXIT
trap 'exit 1' INT TERM

cat >"$SLURM_CONF" <<CONF
ClusterName=arena
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$directory/munge.socket
StateSaveLocation=$directory/state
SlurmdSpoolDir=$directory/spool
SlurmctldPidFile=$directory/slurmctld.pid
SlurmdPidFile=$directory/slurmd.pid
SlurmctldLogFile=$directory/slurmctld.log
SlurmdLogFile=$directory/slurmd.log
SlurmctldPort=26817
SlurmdPort=26818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SchedulerParameters=requeue_setup_env_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobRequeue=1
KillWait=5
MinJobAge=3600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

dd if=/dev/urandom of="$directory/munge.key" bs=128 count=1 2>/dev/null
chmod 600 "$directory/munge.key"
munged --force --key-file="$directory/munge.key" --socket="$directory/munge.socket" \
    --pid-file="$directory/munged.pid" --log-file="$directory/munged.log" --seed-file="$directory/munged.seed"
slurmctld
slurmd
until sinfo --noheader --format=%T 2>/dev/null | grep -q idle; do sleep 0.2; done

bots="--bot mcts:playouts=2000 --bot mcts:playouts=1000"
match="--a mcts:playouts=2000 --b mcts:playouts=1000"
# shellcheck disable=SC2086 # words are wanted
"$arena" plan reversi $bots --games 64 --shards 4 --write "$directory/plan.json"
"$arena" submit --engine slurm --jobs 1 --plan "$directory/plan.json" --out "$directory/out"
job=$(squeue --noheader --format=%A | sort -n | head -1)

echo "killing shard 1 of job $job once it has played a pair"
until grep -qs . "$directory"/out/shard-00001.*.tmp; do sleep 0.1; done
# The name of an attempt's file holds the number of its process.
kill -KILL "$(basename "$directory"/out/shard-00001.*.tmp | sed 's/.*-\([0-9]*\)-[0-9]*\.tmp$/\1/')"
until scontrol show job "${job}_1" | grep -q JobState=FAILED; do sleep 0.2; done
before=$(head -1 "$directory"/out/shard-00001.*.tmp)
[ ! -e "$directory/out/shard-00001.jsonl" ]
scontrol requeue "${job}_1"

until [ "$(squeue --noheader | wc -l)" -eq 0 ]; do sleep 0.5; done
for shard in 0 1 2 3; do
    scontrol show job "${job}_$shard" | grep -q JobState=COMPLETED
done
grep -qxF "$before" "$directory/out/shard-00001.jsonl"
"$arena" merge --plan "$directory/plan.json" "$directory/out" | grep % >"$directory/merged"
# shellcheck disable=SC2086 # words are wanted
"$arena" match reversi $match --games 64 --in-process 2>/dev/null | grep % >"$directory/one-machine"
cat "$directory/merged"
cmp "$directory/merged" "$directory/one-machine"
echo "the merged result is that of one machine"
