// name: condition_names
// The names and synonyms of all conditions that sources state.
// returns: name
MATCH (e:Disease|Symptom|Phenotype|SideEffect)
WHERE e:Entity AND e.name IS NOT NULL
UNWIND [e.name] + coalesce(e.synonyms, []) AS name
RETURN DISTINCT name
