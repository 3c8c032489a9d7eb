// name: runs_by_day
// How many runs of kept answers there were by day and model, with tokens and cost, the newest day first; no model where none wrote or read.
// :param limit => 25
// returns: day, composer, model, runs, prompt_tokens, reply_tokens, estimated, cost, fallbacks
MATCH (r:Run)
WITH toString(date(r.kept)) AS day, r.composer AS composer, r.model AS model, r
RETURN day, composer, model, count(r) AS runs, sum(r.prompt_tokens) AS prompt_tokens, sum(r.reply_tokens) AS reply_tokens,
       max(r.estimated) AS estimated, CASE WHEN count(r.cost) > 0 THEN sum(r.cost) END AS cost, count(r.fallback) AS fallbacks
ORDER BY day DESC, composer, model LIMIT $limit
