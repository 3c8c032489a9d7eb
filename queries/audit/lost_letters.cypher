// name: lost_letters
// Names that are another entity's name without its letters beyond ASCII, as when a source was once saved in a poor encoding.
// :param source => ''
// :param examples => 5
// mends: write the name with its letters in the source, and save that as UTF-8
// returns: severity, source, keys, what, count, examples
MATCH (whole:Entity)
UNWIND [whole.name] + coalesce(whole.synonyms, []) AS name
WITH name WHERE name =~ '.*[^\\x00-\\x7f].*'
WITH name, reduce(left = name, letter IN [l IN split(name, '') WHERE l > '~'] | replace(left, letter, '')) AS stump
WHERE size(stump) > 5
WITH stump, min(name) AS name
WITH collect(stump) AS stumps, collect(name) AS names
MATCH (e:Entity)
WHERE e.name IN stumps
MATCH (e)-[:FROM]->(s:Source)
WHERE $source = '' OR s.id = $source
WITH s.id AS source, e, [i IN range(0, size(stumps) - 1) WHERE stumps[i] = e.name | names[i]][0] AS name
WITH source, e.id + ': ' + e.name + ' (' + name + ')' AS example ORDER BY example
RETURN 'warning' AS severity, source, [source] AS keys, 'names that have lost letters beyond ASCII' AS what,
       count(*) AS count, collect(example)[..$examples] AS examples
