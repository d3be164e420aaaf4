"""Arithmetic in a text: found by grammar, worked out exactly, compared at the digits shown.

`find` reads tokens (`lexer`), finds what stands on both sides of a sign of equality (`grammar`),
`evaluate` works it out with fractions, `compare` says whether the digits that are shown are right.
Nothing here runs code: an expression is a tree of ours from the first token on.
"""
