"""Published tables as data, reproduced; their claims are judged, and plots are drawn."""
