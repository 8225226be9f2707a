#!/bin/sh
# What mem0g does, in six commands: no key, no server, one file that is removed afterwards.
set -eu
cd "$(dirname "$0")"
MEM0G_STORE=$(mktemp -d)/demo.db
export MEM0G_STORE
trap 'rm -r "$(dirname "$MEM0G_STORE")"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show mem0g ingest olivia-and-ben.txt --user demo
show mem0g search "Where does Olivia live?" --user demo --limit 3
home=$(mem0g facts --user demo --entity Olivia --relation lives_in --json |
    python -c 'import json, sys; print(json.load(sys.stdin)[-1]["id"])')
show mem0g history "$home" --user demo
show mem0g search "Where does Olivia live?" --user demo --limit 1 --as-of 2024-02
show mem0g context "What pet do Olivia and Ben have?" --user demo --tokens 150
show mem0g graph Olivia --user demo --hops 1 --include-retired
