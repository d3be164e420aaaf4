"""What runs inside the sandbox: the standard library and these files, mounted read-only."""
