// name: unload_found_relations
// Takes what only texts of sources told out of the relations that were found in texts, after their documents have gone.
// :param sources => ['medquad']
// returns:
CYPHER 25
MATCH (:Concept)-[r]->(:Concept)
WHERE r.method = 'section' AND any(source IN r.sources WHERE source IN $sources)
CALL (r) {
  SET r.sources = [source IN r.sources WHERE NOT source IN $sources],
      r.evidence = [id IN r.evidence WHERE EXISTS { (:Section {id: id}) }]
  SET r.sections = size(r.evidence)
  WITH r WHERE r.sources = []
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
