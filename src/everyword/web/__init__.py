"""everyword as a service: a JSON API and a page to play with (the extra `serve`)."""
