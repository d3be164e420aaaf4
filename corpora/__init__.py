"""Where text comes from: source files -> passages. Imports nothing of ours."""
