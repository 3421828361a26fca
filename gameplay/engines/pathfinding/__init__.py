"""Single-agent search: IDA*, A*, depth-first iterative deepening."""
