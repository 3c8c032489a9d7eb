// name: section_count
// How many sections there are.
// returns: sections
MATCH (s:Section)
RETURN count(s) AS sections
