// name: count_unchunked
// How many sections have no chunks yet, or chunks of another cut.
// :param cut => '1:256'
// returns: sections
MATCH (s:Section)
WHERE s.chunked IS NULL OR s.chunked <> $cut
RETURN count(*) AS sections
