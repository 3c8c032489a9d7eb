// name: write_topics
// Joins topics to the conditions that their titles name; what was joined before is replaced.
// :param rows => [{topic: 'medquad:gout-resources', named: [{concept: 'C0018099', surface: 'Gout', score: 1.0}]}]
// :param names => '1:abc'
// returns:
UNWIND $rows AS row
MATCH (t:Entity&Topic {id: row.topic})
CALL (t) {
  MATCH (t)-[old:ABOUT_CONCEPT]->()
  DELETE old
}
CALL (t) {
  MATCH (t)<-[a:ABOUT]-(:Document)
  SET a.named = $names
}
UNWIND row.named AS named
MATCH (c:Concept {cui: named.concept})
CREATE (t)-[:ABOUT_CONCEPT {method: 'title', surface: named.surface, score: named.score}]->(c)
