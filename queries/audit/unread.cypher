// name: unread
// Statements of a loaded file that no reader takes up, as the newest load of each file counted them.
// :param source => ''
// :param examples => 5
// :param impossible => 'values that cannot be: '
// mends: nothing need be: load what is missing with a reader or mapping of your own where you want it
// fault: MATCH (l:Load) SET l.unread = ['individuals'], l.unread_counts = [3], l.unread_examples = ['hp.owl: ex:1']
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[:FROM]-(l:Load)
WHERE l.status <> 'undone' AND ($source = '' OR s.id = $source)
WITH s.id AS source, l.file AS file, l ORDER BY l.id DESC
WITH source, file, head(collect(l)) AS l
UNWIND range(0, size(coalesce(l.unread, [])) - 1) AS i
WITH source, l.unread[i] AS what, l.unread_counts[i] AS count, l.unread_examples[i] AS example
WHERE NOT what STARTS WITH $impossible
WITH source, what, sum(count) AS count, collect(example)[..$examples] AS examples
RETURN 'note' AS severity, source, [source, what] AS keys, what, count, examples
