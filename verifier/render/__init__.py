"""A report for people and for programs: `terminal`, `html` and `json_`, one file each."""
