#!/bin/sh
# The mirror of this project's maintainer, from a part of its log, some notes and a chat; the model's replies are kept
# beside them. The report is written to mirror.html in the current folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
store=$(mktemp -d)/mirror.db
trap 'rm -r "$(dirname "$store")"' EXIT
unset OPENAI_API_KEY OPENAI_BASE_URL
MEM0G_MODEL=example python "$here/mirror.py" --name "the maintainer" --read "$here/demo/chat.jsonl" \
    --read "$here/demo/commits.log" --read "$here/demo/notes.md" --replies "$here/demo/replies.jsonl" --store "$store"
