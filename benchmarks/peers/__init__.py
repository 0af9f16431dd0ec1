"""The peers of everyword: models that make vectors from spelling, and spelling correctors."""
