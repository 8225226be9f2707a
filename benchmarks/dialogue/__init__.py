"""Chinese dialogues whose relations are asked for: DialogRE."""
