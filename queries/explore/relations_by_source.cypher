// name: relations_by_source
// How many relations of each kind every source states between entities, and under which licence.
// returns: source, licence, relation, count, with_evidence
MATCH (:Entity)-[r]->(:Entity)
WITH r.source AS source, type(r) AS relation, count(*) AS count, count(r.evidence) AS with_evidence
OPTIONAL MATCH (s:Source {id: source})
RETURN source, s.licence AS licence, relation, count, with_evidence
ORDER BY source, count DESC, relation
