"""Small neural networks for learned evaluations and strategies, without other libraries."""
