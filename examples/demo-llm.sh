#!/bin/sh
# What mem0g does with a language model: the replies are kept beside the transcript, so that no key and no server is needed.
set -eu
cd "$(dirname "$0")"
MEM0G_STORE=$(mktemp -d)/demo.db
export MEM0G_STORE
trap 'rm -r "$(dirname "$MEM0G_STORE")"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show mem0g ingest olivia-and-ben.txt --user demo --extractor llm --model example --llm-cache olivia-and-ben.replies.jsonl
show mem0g facts --user demo --entity Olivia --limit 12
plan=$(mem0g facts --user demo --relation plans_to_visit --include-retired --json |
    python -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
show mem0g history "$plan" --user demo
show mem0g context "What became of the trip to Japan?" --user demo --tokens 150
show mem0g graph Olivia --user demo --hops 1
show mem0g costs --user demo
