// name: loads
// What was loaded when: file, counts and status of every load, newest first.
// returns: source, file, status, started, finished, added, changed, unchanged, rejected
MATCH (l:Load)-[:FROM]->(s:Source)
RETURN s.id AS source, l.file AS file, l.status AS status, toString(l.started) AS started,
       toString(l.finished) AS finished, l.added AS added, l.changed AS changed, l.unchanged AS unchanged,
       l.rejected AS rejected
ORDER BY started DESC
