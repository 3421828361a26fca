"""What engines share: limits, reports, values, the table, move ordering, the search thread."""
