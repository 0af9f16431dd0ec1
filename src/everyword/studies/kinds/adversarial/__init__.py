"""Adversarial training: classifiers under the worst small changes of what they read (`study`, `classifiers`)."""
