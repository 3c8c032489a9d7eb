// name: most_dropped
// Sentences of language models that were left out of kept answers, those left out most often first, with why, and examples of the questions.
// :param limit => 25
// returns: sentence, why, times, models, questions
MATCH (r:Run) WHERE r.dropped IS NOT NULL
UNWIND range(0, size(r.dropped) - 1) AS place
RETURN r.dropped[place] AS sentence, r.reasons[place] AS why, count(*) AS times, collect(DISTINCT r.model) AS models,
       collect(DISTINCT r.question)[..3] AS questions
ORDER BY times DESC, why, sentence LIMIT $limit
