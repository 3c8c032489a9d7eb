// name: adopt_chunks
// Keeps the chunks that another encoder's cut has made, and counts them as cut for this one.
// :param cut => '1:other:256'
// returns:
MATCH (s:Section)
WHERE s.chunked IS NOT NULL AND s.chunked <> $cut
CALL (s) {
  SET s.chunked = $cut
} IN TRANSACTIONS OF 10000 ROWS
