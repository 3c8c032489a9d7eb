// name: forget_answers
// Removes answers that were kept, with their claims and runs: those named, or all.
// :param ids => ['answer:1']
// :param all => false
// returns: forgotten
MATCH (a:Answer)
WHERE $all OR a.id IN $ids
OPTIONAL MATCH (a)-[:MAKES|GAVE]-(part:Claim|Run)
WITH collect(DISTINCT a) AS answers, collect(part) AS parts
FOREACH (part IN parts | DETACH DELETE part)
FOREACH (a IN answers | DETACH DELETE a)
RETURN size(answers) AS forgotten
