// name: keep_answer
// Stores an answer with its claims, in place of what was kept of it before, and leads each claim to the chunks that hold what
// speaks for it and against it: of spans the one with most of the span, of relations the first that tells the fact. Beside it stands
// the run that gave it, and those that gave it before stay.
// :param answer => {id: 'answer:1', question: 'How is gout treated?', status: 'answered'}
// :param claims => [{properties: {id: 'answer:1#1', text: 'Gout is treated.', verdict: 'supported'}, spans: [{section: 'sample:gout#6', start: 0, end: 20, quote: '', score: 0.9, supports: true}], facts: []}]
// :param run => {question: 'How is gout treated?', composer: 'extractive', evidence: ['sample:gout#6']}
// returns: kept
MERGE (a:Answer {id: $answer.id})
SET a = $answer, a.kept = datetime()
WITH a
CALL (a) {
  OPTIONAL MATCH (a)-[:MAKES]->(old:Claim)
  DETACH DELETE old
}
CALL (a) {
  CREATE (r:Run)-[:GAVE]->(a)
  SET r = $run, r.kept = a.kept, r.id = a.id + '@' + COUNT { (a)<-[:GAVE]-() }
  WITH r
  UNWIND r.evidence AS id
  MATCH (s:Section {id: id})
  CREATE (r)-[:READ]->(s)
}
CALL (a) {
  UNWIND $claims AS claim
  CREATE (a)-[:MAKES]->(c:Claim)
  SET c = claim.properties, c.documents = claim.properties.documents + COLLECT {
    UNWIND claim.facts AS fact
    MATCH (d:Document)-[:HAS_SECTION]->(:Section {id: fact.section})
    RETURN DISTINCT d.id
  }
  WITH c, claim
  CALL (c, claim) {
    UNWIND claim.spans AS span
    CALL (span) {
      MATCH (:Section {id: span.section})-[:HAS_CHUNK]->(k:Chunk)
      WHERE k.start < span.end AND k.end > span.start
      WITH k, CASE WHEN k.end < span.end THEN k.end ELSE span.end END - CASE WHEN k.start > span.start THEN k.start ELSE span.start END AS inside
      RETURN k ORDER BY inside DESC, k.position LIMIT 1
    }
    FOREACH (_ IN CASE WHEN span.supports THEN [1] ELSE [] END |
      MERGE (c)-[r:SUPPORTED_BY]->(k) SET r.score = span.score, r.quote = span.quote, r.start = span.start, r.end = span.end)
    FOREACH (_ IN CASE WHEN span.supports THEN [] ELSE [1] END |
      MERGE (c)-[r:CONTRADICTED_BY]->(k) SET r.score = span.score, r.quote = span.quote, r.start = span.start, r.end = span.end)
  }
  CALL (c, claim) {
    UNWIND claim.facts AS fact
    CALL (fact) {
      MATCH (:Section {id: fact.section})-[:HAS_CHUNK]->(k:Chunk)-[m:MENTIONS]->(:Concept {cui: fact.object})
      RETURN k, m.start AS start, m.end AS end ORDER BY start LIMIT 1
      UNION ALL
      MATCH (:Term {id: fact.object})<-[m:TELLS_OF]-(:Section {id: fact.section})-[:HAS_CHUNK]->(k:Chunk)
      WHERE k.start <= m.start AND k.end >= m.end
      RETURN k, m.start AS start, m.end AS end ORDER BY start LIMIT 1
    }
    MERGE (c)-[r:SUPPORTED_BY]->(k) SET r.score = fact.score, r.start = start, r.end = end
  }
}
RETURN COUNT { (a)-[:MAKES]->() } AS kept
