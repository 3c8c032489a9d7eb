// name: sources_without_version
// Sources that do not say which release they are.
// :param source => ''
// mends: load it again and state the release
// fault: MATCH (s:Source) REMOVE s.version
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)
WHERE ($source = '' OR s.id = $source)
  AND toLower(trim(coalesce(s.version, ''))) IN ['', 'unversioned', 'unknown', 'none', 'n/a']
RETURN 'warning' AS severity, s.id AS source, [s.id] AS keys, 'the source does not say which release it is' AS what,
       1 AS count, [s.id + ': ' + coalesce(s.title, '')] AS examples
ORDER BY source
