"""Layer 7: what a run leaves to read and look at: pages, pictures, films, tables, sentences."""
