// name: made_questions
// Questions that medgraph made, and no source asks, for what relations tell of a concept, with how like a patient's each is.
// :param name => 'Gout'
// returns: document, question, type, name, origin, likeness, rank
MATCH (d:Document {source: 'graph'})<-[:ANSWERED_AT]-(q:Question {generated: true})
WHERE d.title IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
RETURN d.id AS document, q.text AS question, q.type AS type, q.name AS name, q.origin AS origin, q.likeness AS likeness,
       q.rank AS rank
ORDER BY document, likeness DESC, question
