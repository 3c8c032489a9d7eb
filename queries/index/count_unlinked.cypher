// name: count_unlinked
// How many sections have not been linked by these names.
// :param names => '1:abc'
// returns: sections
MATCH (s:Section)
WHERE s.chunked IS NOT NULL AND s.source <> 'graph' AND (s.linked IS NULL OR NOT s.linked STARTS WITH $names + ' ')
RETURN count(s) AS sections
