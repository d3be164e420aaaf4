"""What the code task is made of: snippets, inputs, independent solutions, and the verdict."""
