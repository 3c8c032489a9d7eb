// name: shortest_between
// The shortest chains of relations between two things, as pictures: every step is from concept to concept, and none goes through
// a source or a text.
// :param first => 'Gout'
// :param second => 'Heart failure'
// :param limit => 10
// returns: path
CYPHER 25
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($first, '\\', ' '), '"', ' ') + '"') YIELD node AS a
WHERE toLower($first) IN a.names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($second, '\\', ' '), '"', ' ') + '"') YIELD node AS b
WHERE toLower($second) IN b.names AND a <> b
MATCH path = ALL SHORTEST (a)(()-[:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY|TREATED_BY
  |PREVENTED_BY|WORSENED_BY|CONTRAINDICATED_WITH|PALLIATES|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS|INTERACTS_WITH|REGULATES
  |UPREGULATES|DOWNREGULATES|EXPRESSES|COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH|RESEMBLES|EXACT_MATCH|CLOSE_MATCH|BROAD_MATCH|RELATED_MATCH|RELATED_TO]-(:Concept)){1,4}(b)
RETURN path LIMIT $limit
