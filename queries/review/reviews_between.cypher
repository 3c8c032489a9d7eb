// name: reviews_between
// Equivalences of entities of two groups, the surest first.
// :param ones => ['DOID:1']
// :param others => ['medquad:a']
// :param id => 'DOID:1|medquad:a'
// returns: id, method, evidence, score, status
MATCH (r:Review)
WHERE r.id <> $id AND ((r.one IN $ones AND r.other IN $others) OR (r.one IN $others AND r.other IN $ones))
RETURN r.id AS id, r.method AS method, r.evidence AS evidence, r.score AS score, r.status AS status
ORDER BY score DESC, id
