"""The open-weight models: which, where from, how served, how called. Imports nothing of ours."""
