"""What is known without a search: books, endgame tables, solvers. The contract: `knowledge.knowledge`."""
