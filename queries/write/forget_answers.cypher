// name: forget_answers
// Removes answers that were kept, with their claims: those named, or all.
// :param ids => ['answer:1']
// :param all => false
// returns: forgotten
MATCH (a:Answer)
WHERE $all OR a.id IN $ids
OPTIONAL MATCH (a)-[:MAKES]->(c:Claim)
WITH collect(DISTINCT a) AS answers, collect(c) AS claims
FOREACH (c IN claims | DETACH DELETE c)
FOREACH (a IN answers | DETACH DELETE a)
RETURN size(answers) AS forgotten
