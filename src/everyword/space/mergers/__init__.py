"""One file for each way to make one vector of several."""
