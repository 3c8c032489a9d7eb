// name: distrust_loads
// Makes the next load of other sources read its file again, where what they state of entities goes with the last source of these.
// :param sources => ['medquad']
// returns:
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE s.id IN $sources AND NOT EXISTS { (e)-[:FROM]->(other:Source) WHERE NOT other.id IN $sources }
MATCH (e)-[r]-(:Entity)
WHERE NOT r.source IN $sources
WITH DISTINCT r.source AS other
MATCH (l:Load)-[:FROM]->(o:Source)
WHERE o.id = other OR EXISTS { MATCH (part:Source {id: other}) WHERE part.part_of = o.id }
SET l.sha256 = ''
