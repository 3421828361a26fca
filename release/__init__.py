"""Builds and tests a release: wheels, the source distribution, and the list of components (SBOM)."""
