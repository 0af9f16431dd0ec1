"""Text files, word lists and the sentences in which words occur."""
