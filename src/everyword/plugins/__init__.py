"""everyword inside other people's programs: one file for each package, which alone imports it."""
