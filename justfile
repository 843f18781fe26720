# Sequences of commands; `just` lists them.

_list:
    @just --list

# Everything that must hold before a change lands
check:
    .ci/run

# Slow tests: exact solvers, long statistics
slow:
    cargo test --workspace --release -- --ignored

# How exploitable ISMCTS is in Kuhn poker, by playouts: the table of docs/algorithms.md
exploitability:
    cargo test -p mcts-core --release --test loops_hidden -- --ignored --nocapture

# Speed of the search beside other crates, on the same board code
peers:
    cd mcts-core/peer-bench && cargo run --release

# Licences and advisories of the dependencies
deny:
    cargo deny check
