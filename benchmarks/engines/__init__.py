"""Programs that build an index and answer from it, each in a process of its own: ours, and the peers in their environment."""
