// name: advance_load
// Notes in the transaction that stores a batch that it is stored: batches may come in any order, and twice if a reply was lost.
// :param load => 1
// :param start => 500
// :param end => 1000
// :param counts => {added: 500, changed: 0, unchanged: 0, rejected: 0, remarks: 0, withdrawn: 0}
// :param lacked => ['UO:0000001']
// :param most => 1000
// :param held => ['umls-nci']
// :param unread => ['individuals are passed over']
// :param unread_counts => [3]
// :param unread_examples => ['hp.owl: ex:1']
// returns: again
MATCH (l:Load {id: $load})
// Writing locks it, so that what is read next is what the batch before left.
SET l.id = $load
WITH l, l.position > $start OR any(i IN range(0, size(l.ahead) - 2, 2) WHERE l.ahead[i] = $start) AS again
FOREACH (_ IN CASE WHEN again THEN [] ELSE [1] END |
  SET l.ahead = l.ahead + [$start, $end],
      l.added = l.added + $counts.added, l.changed = l.changed + $counts.changed,
      l.unchanged = l.unchanged + $counts.unchanged, l.rejected = l.rejected + $counts.rejected,
      l.remarks = l.remarks + $counts.remarks, l.withdrawn = l.withdrawn + $counts.withdrawn,
      l.unread = coalesce(l.unread, []) + $unread, l.unread_counts = coalesce(l.unread_counts, []) + $unread_counts,
      l.unread_examples = coalesce(l.unread_examples, []) + $unread_examples,
      l.held = coalesce(l.held, []) + [id IN $held WHERE NOT id IN coalesce(l.held, [])],
      l.lacked = CASE $lacked WHEN [] THEN l.lacked
        ELSE (coalesce(l.lacked, []) + [id IN $lacked WHERE NOT id IN coalesce(l.lacked, [])])[..$most] END)
WITH l, again
// What is done without a gap is one number; ahead keeps the rest as pairs of start and end.
WITH l, again, reduce(done = l.position, _ IN range(1, size(l.ahead) / 2) |
  reduce(d = done, i IN range(0, size(l.ahead) - 2, 2) | CASE WHEN l.ahead[i] = d THEN l.ahead[i + 1] ELSE d END)) AS done
SET l.position = done,
    l.ahead = reduce(kept = [], i IN range(0, size(l.ahead) - 2, 2) |
      CASE WHEN l.ahead[i] >= done THEN kept + l.ahead[i .. i + 2] ELSE kept END)
RETURN again
