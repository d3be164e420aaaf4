"""Passages -> an index directory, and search in it. Imports corpora only."""
