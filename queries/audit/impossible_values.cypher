// name: impossible_values
// Values of a loaded file that cannot be, such as ids that no other of their prefix is like, as the newest load of each file counted them.
// :param source => ''
// :param examples => 5
// :param impossible => 'values that cannot be: '
// mends: mend the file and load it again; where the value is right, its prefix or property is used for something else
// fault: MATCH (l:Load) SET l.unread = ['values that cannot be: scores outside 0 to 1'], l.unread_counts = [3], l.unread_examples = ['a.tsv:2 7']
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[:FROM]-(l:Load)
WHERE l.status <> 'undone' AND ($source = '' OR s.id = $source)
WITH s.id AS source, l.file AS file, l ORDER BY l.id DESC
WITH source, file, head(collect(l)) AS l
UNWIND range(0, size(coalesce(l.unread, [])) - 1) AS i
WITH source, l.unread[i] AS what, l.unread_counts[i] AS count, l.unread_examples[i] AS example
WHERE what STARTS WITH $impossible
WITH source, what, sum(count) AS count, collect(example)[..$examples] AS examples
RETURN 'warning' AS severity, source, [source, what] AS keys, substring(what, size($impossible)) AS what, count, examples
