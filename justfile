# Sequences of commands; `just` lists them.

_list:
    @just --list

# Everything that must hold before a change lands
check:
    .ci/run

# What takes too long for each change: slow tests, fuzzers, advisories
slow:
    .ci/slow

# One fuzzer of what reads the text of others: judges, bots, positions, records, plans or journals
fuzz target seconds="60":
    mkdir -p target/fuzz/{{target}}
    RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir arena/fuzz --sanitizer none {{target}} target/fuzz/{{target}} arena/fuzz/corpus/{{target}} -- -max_total_time={{seconds}}

# How exploitable ISMCTS is in Kuhn poker, by playouts: the table of docs/algorithms.md
exploitability:
    cargo test -p mcts-core --release --test loops_hidden -- --ignored --nocapture

# Speed of the search beside other crates, on the same board code
peers:
    cd mcts-core/peer-bench && cargo run --release

# Licences and advisories of the dependencies
deny:
    cargo deny check
