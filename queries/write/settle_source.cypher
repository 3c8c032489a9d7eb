// name: settle_source
// Notes the standing of a source by which the entities that it shares with others were summarised.
// :param source => 'medquad'
// :param standing => 'DOID 2026-03-31 1 5'
// returns:
MATCH (s:Source {id: $source})
SET s.standing = $standing
