"""From a question to an answer whose every sentence is cited and checked.

`answerer.Answerer.ask` goes through five stages: `understanding` (with `emergencies`, `dialogue`, `parts`: what is
asked, part by part), `scoring` (sections, their sentences with vectors, and, with `signs`, how likely each answers;
`facts` and `pages` beside them), `selecting` (what is quoted), and `citing`, which `verify` checks. `part_answers`
makes one answer of all parts, `offers` says what could be asked next, and `outline` sets it out. Where a language
model writes or reads, `generated` and `model_reading` have it do so; `pipelines` are the published ways to answer.
"""
