#!/bin/sh
# A match as tasks of a real HyperQueue: four shards on its Python package, one killed half way; the merged result must be
# that of one machine, to the last digit.
#
# Needs python3 with venv and a package index, or PYTHON=a Python that has `hyperqueue`. Starts a server and a worker for
# the time of the test. Takes about a minute.
#
# Usage: arena/tests/hyperqueue.sh [path of the arena]
set -eu
arena=$(realpath "${1:-target/release/arena}")
directory=$(mktemp -d)
submit=
end() {
    [ -z "$submit" ] || kill "$submit" 2>/dev/null || true
    [ -n "${keep:-}" ] || rm -rf "$directory"
}
trap end EXIT
trap 'exit 1' INT TERM

python=${PYTHON:-}
if [ -z "$python" ]; then
    python3 -m venv "$directory/venv"
    "$directory/venv/bin/pip" install --quiet hyperqueue
    python="$directory/venv/bin/python3"
fi

bots="--bot mcts:playouts=2000 --bot mcts:playouts=1000"
match="--a mcts:playouts=2000 --b mcts:playouts=1000"
# shellcheck disable=SC2086 # words are wanted
"$arena" plan reversi $bots --games 64 --shards 4 --write "$directory/plan.json"
"$arena" submit --engine hq --python "$python" --jobs 1 --plan "$directory/plan.json" --out "$directory/out" \
    >"$directory/submit.log" 2>&1 &
submit=$!

echo "killing shard 1 once it has played a pair"
until grep -qs . "$directory"/out/shard-00001.*.tmp; do
    kill -0 "$submit" || { cat "$directory/submit.log"; exit 1; }
    sleep 0.1
done
# The name of an attempt's file holds the number of its process.
kill -KILL "$(basename "$directory"/out/shard-00001.*.tmp | sed 's/.*-\([0-9]*\)-[0-9]*\.tmp$/\1/')"
before=$(head -1 "$directory"/out/shard-00001.*.tmp)
[ ! -e "$directory/out/shard-00001.jsonl" ]

wait "$submit" || { cat "$directory/submit.log"; exit 1; }
submit=
grep -q 'shard 1 failed' "$directory/submit.log"
grep -qxF "$before" "$directory/out/shard-00001.jsonl"
"$arena" merge --plan "$directory/plan.json" "$directory/out" | grep % >"$directory/merged"
# shellcheck disable=SC2086 # words are wanted
"$arena" match reversi $match --games 64 --in-process 2>/dev/null | grep % >"$directory/one-machine"
cat "$directory/merged"
cmp "$directory/merged" "$directory/one-machine"
echo "the merged result is that of one machine"
