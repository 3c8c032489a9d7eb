// name: write_told
// Notes that a model has read sections, and what it told of each: relations between entities, from the section to both ends. What a
// curator decided stays so. The relations of their concepts are then stale, for `find_relations`.
// :param rows => [{section: 'a1#1', told: [{head: 'DOID:2841', relation: 'HAS_SYMPTOM', predicate: '', tail: 'SYMP:1', start: 0, end: 20, surface: 'wheezing', status: 'told', why: '', score: 0.95, tokens: 900, cost: 0.01}]}]
// :param by => 'openai:big@abc'
// :param model => 'openai:big'
// :param prompt => 'abc'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
SET s.read_by = [by IN coalesce(s.read_by, []) WHERE by <> $by] + $by
WITH s, row
UNWIND row.told AS told
UNWIND [told.head, told.tail] AS end
MATCH (e:Entity {id: end})-[:MEANS]->(c:Concept)
SET c.stale = true
WITH DISTINCT s, e, told
WHERE NOT EXISTS { (s)-[old:TELLS {head: told.head, relation: told.relation, tail: told.tail, model: $model}]->(e) WHERE old.decided IS NOT NULL }
CREATE (s)-[t:TELLS]->(e)
SET t = told, t.method = 'model', t.model = $model, t.prompt = $prompt
