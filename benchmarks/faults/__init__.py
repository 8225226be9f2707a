"""What a store holds after writers are killed, disks are full and connections are cut."""
