"""Word operators, learnt from paraphrases, and the baselines of their paper."""
