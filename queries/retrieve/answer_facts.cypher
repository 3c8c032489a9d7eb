// name: answer_facts
// What an answer names, and how that goes with what is asked about: the latter first, then the other things that it rests on
// and those within quoted spans, each with the numbers of the passages and the relations between it and what is asked about.
// :param asked => ['sample:gout']
// :param things => []
// :param passages => [{number: 1, section: 'sample:gout#6', start: 0, end: 400}]
// returns: concept, name, label, entity, asked, numbers, said
CALL () {
  UNWIND $asked AS id
  MATCH (:Entity {id: id})-[:MEANS]->(c:Concept)
  RETURN collect(DISTINCT c) AS about
}
CALL () {
  UNWIND $things AS id
  CALL (id) {
    MATCH (x:Concept {cui: id}) RETURN x
    UNION
    MATCH (x:Term {id: id}) RETURN x
  }
  RETURN collect({x: x, number: null}) AS rested
}
CALL () {
  UNWIND $passages AS p
  MATCH (s:Section {id: p.section})
  CALL (s, p) {
    MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(x:Concept)
    WHERE m.start >= p.start AND m.end <= p.end AND NOT coalesce(m.negated, false)
    RETURN x
    UNION
    MATCH (s)-[m:TELLS_OF]->(x:Term)
    WHERE m.start >= p.start AND m.end <= p.end
    RETURN x
  }
  WITH x, p.number AS number ORDER BY number
  RETURN collect({x: x, number: number}) AS named
}
WITH about, [a IN about | {x: a, number: null}] + rested + named AS every
UNWIND every AS one
WITH about, one.x AS x, collect(DISTINCT one.number) AS numbers
WITH about, x, numbers, x IN about AS asked
CALL (about, x, asked) {
  UNWIND [c IN about WHERE NOT asked OR c.cui < x.cui] AS c
  CALL (c, x) {
    MATCH (c)-[r]-(x)
    UNWIND [{method: 'stated', sources: [s IN r.stated WHERE NOT s IN coalesce(r.predicted, [])],
             score: coalesce(r.stated_score, 1.0)},
            {method: CASE WHEN x:Term THEN 'term' WHEN r.models IS NULL THEN 'section' ELSE 'model' END, sources: r.told, score: r.told_score}] AS voice
    WITH c, r, voice WHERE voice.sources <> []
    RETURN type(r) AS relation, startNode(r) = c AS forward, voice.sources AS sources, voice.method AS method, voice.score AS score
  }
  WITH c, relation, forward, sources, method ORDER BY score DESC, relation, method, sources[0]
  RETURN collect({about: c.cui, relation: relation, forward: forward, sources: sources, method: method}) AS said
}
RETURN coalesce(x.cui, x.id) AS concept, coalesce(x.name, x.cui, x.id) AS name, coalesce([l IN labels(x) WHERE l <> 'Concept'][0], 'Concept') AS label,
       coalesce(COLLECT { MATCH (x)<-[:MEANS]-(e:Entity)
                          RETURN e.id ORDER BY toLower(e.name) <> toLower(x.name), e.id LIMIT 1 }[0], '') AS entity,
       asked, numbers, said
ORDER BY NOT asked, size(said) = 0, -size(numbers), numbers[0], toLower(name), concept
