"""What concerns a whole SQLite file: upgrades, checks, dumps, backups, and forgetting."""
