"""What everyword is measured beside: models that make vectors from spelling, and correctors of spelling."""
