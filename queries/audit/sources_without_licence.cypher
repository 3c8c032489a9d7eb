// name: sources_without_licence
// Sources without a licence: nobody can tell what may be done with what they say.
// :param source => ''
// mends: load it again with --licence
// fault: MATCH (s:Source) SET s.licence = 'LicenseRef-unstated'
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)
WHERE ($source = '' OR s.id = $source)
  AND toLower(trim(coalesce(s.licence, ''))) IN
        ['', 'licenseref-unstated', 'licenseref-unknown', 'noassertion', 'none', 'unknown', 'unstated', 'n/a']
RETURN 'error' AS severity, s.id AS source, [s.id] AS keys, 'the source states no licence' AS what,
       1 AS count, [s.id + ': ' + coalesce(s.title, '')] AS examples
ORDER BY source
