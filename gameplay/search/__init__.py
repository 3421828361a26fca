"""What engines share: sessions and what they run, limits, reports, the table, move ordering, the trace."""
