"""Attention as explanation: what changing it does to a decision (`study`), and attention that is learnt to differ
(`adversary`).
"""
