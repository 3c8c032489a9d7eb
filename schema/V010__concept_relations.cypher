// Concepts carry their category as a label and one name; how they are called is found by a full-text index, or by the name.
CYPHER 25
MATCH (c:Concept)
WHERE c.label IS NOT NULL OR c.title IS NOT NULL
CALL (c) {
  SET c:$(coalesce(c.label, [])), c.name = coalesce(c.title, c.name, c.cui)
  REMOVE c.label, c.title
} IN TRANSACTIONS OF 10000 ROWS;
CREATE FULLTEXT INDEX concept_name IF NOT EXISTS
FOR (n:Concept) ON EACH [n.name, n.names]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
CREATE INDEX concept_called IF NOT EXISTS FOR (n:Concept) ON (n.name);
// What sections tell stands on one relation of two concepts; what sources state is added by `medgraph index concepts`.
CYPHER 25
MATCH (a:Concept)-[r]->(b:Concept|Term)
WHERE r.method IN ['section', 'term']
WITH a, b, type(r) AS type, r ORDER BY r.sources[0], r.evidence[0]
WITH a, b, type, collect(r) AS several
CALL (several) {
  UNWIND several AS r
  UNWIND r.sources AS source
  WITH several, collect(DISTINCT source) AS told
  UNWIND several AS r
  UNWIND r.evidence AS section
  WITH several, told, collect(DISTINCT section) AS sections
  UNWIND several AS r
  UNWIND r.surfaces AS surface
  RETURN told, sections, collect(DISTINCT surface)[..5] AS surfaces
}
WITH several, told, sections, surfaces, reduce(n = 0, r IN several | CASE WHEN r.sections > n THEN r.sections ELSE n END) AS most,
     reduce(score = 0.0, r IN several | CASE WHEN r.score > score THEN r.score ELSE score END) AS score
WITH several, told, sections, surfaces, score, CASE WHEN most > size(sections) THEN most ELSE size(sections) END AS count
CALL (several, told, sections, surfaces, score, count) {
  WITH several, round(score * (1 - 0.5 / count), 4) AS sure, told, sections, surfaces, count, head(several) AS r
  SET r = {sources: told, stated: [], told: told, sections: sections[..25], section_count: count, surfaces: surfaces,
           told_score: sure, score: sure, polarity: 'affirmed'}
  FOREACH (other IN tail(several) | DELETE other)
} IN TRANSACTIONS OF 10000 ROWS;
// Passages name their document, so that what two passages have in common is found without the way over sections.
CYPHER 25
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
CALL (d, s, c) {
  SET c.document = d.id, c.title = s.title
} IN TRANSACTIONS OF 10000 ROWS;
// What is not said is not there.
CYPHER 25
MATCH (n:Section|Document)
WHERE n.heading = '' OR n.question = '' OR n.url = ''
CALL (n) {
  SET n += {heading: nullIf(n.heading, ''), question: nullIf(n.question, ''), url: nullIf(n.url, '')}
} IN TRANSACTIONS OF 5000 ROWS
;
// Tables of diseases are tables that no curator has ranked, until one does.
MATCH (l:Load {loader: 'disease-tables'})-[:FROM]->(s:Source)
SET s.table = true
