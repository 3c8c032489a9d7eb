// name: section_types
// How many sections of each type every source has.
// returns: source, type, sections
MATCH (s:Section)
RETURN s.source AS source, s.type AS type, count(*) AS sections
ORDER BY source, sections DESC, type
