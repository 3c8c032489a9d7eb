// name: kept_answers
// Answers that were kept (`medgraph ask --keep`), the newest first: how many claims each makes, and of how many something says the opposite.
// :param limit => 25
// returns: answer, question, status, composer, claims, contested, kept
MATCH (a:Answer)
RETURN a.id AS answer, a.question AS question, a.status AS status, a.composer AS composer,
       COUNT { (a)-[:MAKES]->(:Claim) } AS claims,
       COUNT { (a)-[:MAKES]->(c:Claim) WHERE EXISTS { (c)-[:CONTRADICTED_BY]->() } } AS contested, toString(a.kept) AS kept
ORDER BY a.kept DESC, answer LIMIT $limit
