// name: told_for_review
// Relations that language models told of sections, of a status, with the words that say them and why they wait.
// :param status => 'proposed'
// :param limit => 25
// returns: head, head_name, relation, tail, tail_name, why, quote, section, model
MATCH (s:Section)-[t:TELLS {status: $status}]->(h:Entity {id: t.head})
MATCH (o:Entity {id: t.tail})
RETURN t.head AS head, h.name AS head_name, coalesce(nullIf(t.predicate, ''), t.relation) AS relation, t.tail AS tail, o.name AS tail_name,
       t.why AS why, substring(s.text, t.start, t.end - t.start) AS quote, s.id AS section, t.model AS model
ORDER BY relation, head, tail, section LIMIT $limit
