"""everyword as a service: a JSON API and a playground (the extra `serve`).

Read in order: `server` runs the `app`, which puts `middleware` around the routes of `api` (words), `text_api` (texts)
and `openai_api` (texts, in OpenAI's form). `schemas` and `text_schemas` are requests and answers, `answers`,
`text_answers` and `pictures` compute them, `stems` folds neighbours, `problems` are refusals in one sentence. `settings`, `state`, `model_store`,
`corpus` and `work` hold limits, shared objects, models, texts to search and threads. `views` makes the pages of the
playground from `page/`; `curves.json` is a result of the project's benchmarks.
"""
