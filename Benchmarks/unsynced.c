// Takes the waiting for the disk out of a program: what `reactor-unsynced` of ours.json runs with, so that what durability
// costs can be told from all else. Loaded by LD_PRELOAD; Benchmarks/peers builds it.
int fsync(int file) { return (void)file, 0; }
int fdatasync(int file) { return (void)file, 0; }
