"""Makes and tries what is released: wheels, the source distribution, the list of their components."""
