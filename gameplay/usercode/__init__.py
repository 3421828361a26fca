"""User code in this process: loading, timeouts, what it may not do, where its output goes."""
