"""Writers that are killed, disks that are full, connections that are cut: what the store holds afterwards."""
