"""Results as self-contained HTML and SVG."""
