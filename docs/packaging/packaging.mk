# Packages; README.md beside this says for whom each is.
