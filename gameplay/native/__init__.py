"""Support for compiled code: bits, hashing, subsets, memory, boards beyond 64 bits."""
