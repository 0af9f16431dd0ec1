"""Inference between two texts, learnt alone or together with semantic roles by one encoder."""
