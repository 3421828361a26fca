"""Display of boards, panels and tables. Only this package imports rich."""
