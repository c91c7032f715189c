# What cargo compiles of this project is linted as well, with warnings denied: `. scripts/linting.sh`.
# To check all packages for clippy alone would take as long as to compile what is tried here.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
