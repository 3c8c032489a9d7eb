// name: members_of
// Which of some concepts stand in a relation to others, with the sources that state or tell it, as `over_represented` counts them.
// :param groups => [{concept: 'C0018099', relation: 'HAS_SYMPTOM', direction: 'out'}]
// :param concepts => ["C0002871", "C0038454"]
// returns: place, concept, name, sources
UNWIND range(0, size($groups) - 1) AS place
WITH place, $groups[place] AS one
MATCH (g:Concept {cui: one.concept})-[r]-(m:Concept)
WHERE m.cui IN $concepts AND type(r) = one.relation AND (one.direction = 'either' OR (startNode(r) = g) = (one.direction = 'out'))
  AND r.polarity <> 'contested' AND size(r.sources) > size(coalesce(r.predicted, []))
WITH place, m, [s IN r.sources WHERE s IN r.told OR NOT s IN coalesce(r.predicted, [])] AS sources
UNWIND sources AS source
WITH place, m, source ORDER BY source
RETURN place, m.cui AS concept, coalesce(m.name, m.cui) AS name, collect(DISTINCT source) AS sources
ORDER BY place, toLower(name), concept
