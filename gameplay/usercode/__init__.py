"""User code in this process: loading, time limits, forbidden calls, redirected output."""
