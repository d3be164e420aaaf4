"""The commands: one file each, listed in `verifier.cli.COMMANDS`, imported when called."""
