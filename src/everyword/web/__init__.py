"""everyword as a service: a JSON API and a playground (the extra `serve`).

Read in order: `server` runs the `app`, which puts `middleware` around the routes of `api` (words), `text_api` (texts),
`playground_api` (what only the playground asks) and `openai_api` (texts, in OpenAI's form). `schemas`, `text_schemas`
and `playground_schemas` are requests and answers, `answers`, `text_answers`, `pictures` and `algebra` compute them with
`stems`, which folds neighbours, and `correctors`; `problems` are refusals in one sentence. `settings`, `state`,
`model_store`, `tables`, `corpus`, `uploads` and `work` hold limits, shared objects, models, tables, texts to search and
threads. `views` makes the pages of the playground from `page/`; `curves.json` and `probes.json` are results of the
project's benchmarks.
"""
