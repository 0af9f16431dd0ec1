"""everyword as a service: a JSON API and a playground (the extra `serve`)."""
