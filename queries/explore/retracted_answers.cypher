// name: retracted_answers
// Kept answers with claims that rest on a document that was retracted, before or since, and on how many documents each such claim rests.
// :param limit => 25
// returns: answer, question, claim, document, title, url, documents, kept
MATCH (a:Answer)-[:MAKES]->(c:Claim)
UNWIND c.documents AS id
MATCH (d:Document {id: id}) WHERE d.retracted
RETURN a.id AS answer, a.question AS question, c.text AS claim, d.id AS document, d.title AS title, d.url AS url,
       size(c.documents) AS documents, toString(a.kept) AS kept
ORDER BY a.kept DESC, answer, c.position, document LIMIT $limit
