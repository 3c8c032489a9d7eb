"""From a question to an answer whose every sentence is cited and checked.

`answerer.Answerer.ask` goes through five stages, a module each: `understanding` (with `emergencies`, `dialogue`,
`parts`: what is asked, part by part), `retrieving` (sections, and their sentences with vectors; `facts` and `pages`
beside them), `scoring` (with `signs` and `confidence`: how likely each answers), `selecting` (what is quoted), and
`citing`, which `verify` checks. `part_answers` makes one answer of all parts, `offers` says what could be asked next,
and `outline` sets it out. Where a language model writes or reads, `composers` and `model_reading` have it do so;
`pipelines` are the published ways to answer.
"""
