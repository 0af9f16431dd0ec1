"""everyword as a service: a JSON API and a playground (the extra `serve`).

Read in order: `server` runs the `app`, which puts `middleware` around the routes of `api`. `schemas` are requests and
answers, `answers` and `pictures` compute them, `problems` are refusals in one sentence. `settings`, `state`,
`model_store` and `work` hold limits, shared objects, models and threads. `page/` is the playground, with `curves.json`.
"""
