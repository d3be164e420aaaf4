"""References in text: found by grammar, looked up in a papers index, and compared with it."""
