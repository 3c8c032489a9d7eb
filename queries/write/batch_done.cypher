// name: batch_done
// Whether a batch is stored already, because the reply to its transaction was lost.
// :param load => 1
// :param start => 500
// returns: done
MATCH (l:Load {id: $load})
RETURN l.position > $start OR any(i IN range(0, size(l.ahead) - 2, 2) WHERE l.ahead[i] = $start) AS done
