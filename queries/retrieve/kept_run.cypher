// name: kept_run
// The run with an id, or the newest run of a kept answer; nothing where no such answer is kept, null where it has no such run.
// :param id => 'answer:1'
// returns: question, run
MATCH (a:Answer {id: split($id, '@')[0]})
OPTIONAL MATCH (a)<-[:GAVE]-(r:Run) WHERE r.id = $id OR NOT $id CONTAINS '@'
RETURN a.question AS question, r {.*, kept: toString(r.kept)} AS run
ORDER BY r.kept DESC LIMIT 1
