// name: concept_triples
// Every relation between two concepts, once, by ids: what sources state of any of their entities, and what sections tell.
// Mappings between vocabularies are left out, as they say nothing of the world, and so are phrases that no vocabulary has.
// returns: head, relation, tail
MATCH (a:Concept)
CALL (a) {
  MATCH (a)<-[:MEANS]-(:Entity)-[r:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY
                                  |HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY|TREATED_BY|PREVENTED_BY
                                  |WORSENED_BY|CONTRAINDICATED_WITH|TREATS|PALLIATES|CONTRAINDICATED_IN|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS
                                  |INTERACTS_WITH|REGULATES|UPREGULATES|DOWNREGULATES|EXPRESSES
                                  |COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH|RESEMBLES|RELATED_TO]
        ->(:Entity)-[:MEANS]->(b:Concept)
  WHERE a <> b
  RETURN type(r) AS relation, b.cui AS tail
  UNION
  MATCH (a)-[r:HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY|TREATED_BY|PREVENTED_BY]->(b:Concept)
  WHERE a <> b
  RETURN type(r) AS relation, b.cui AS tail
}
RETURN a.cui AS head, relation, tail
