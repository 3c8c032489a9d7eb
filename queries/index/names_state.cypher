// name: names_state
// What tells whether names, whose word goes first, cross-references or decisions may have changed, or a migration did; `others` leaves loads and sources out.
// returns: state, others, entities
CALL () {
  OPTIONAL MATCH (l:Load)
  RETURN coalesce(max(l.id), 0) AS loads, coalesce(toString(max(l.finished)), '') AS finished
}
CALL () {
  MATCH (e:Entity)
  RETURN count(e) AS entities
}
CALL () {
  MATCH (s:Source)
  WITH s ORDER BY s.id
  WITH collect(s.id + ' ' + coalesce(s.standing, '')) AS sources
  RETURN reduce(all = '', source IN sources | all + source + ', ') AS sources
}
CALL () {
  OPTIONAL MATCH (r:Review) WHERE r.decided IS NOT NULL
  RETURN count(r) AS decisions, coalesce(toString(max(r.decided)), '') AS decided
}
CALL () {
  OPTIONAL MATCH (m:Migration)
  RETURN coalesce(max(m.version), 0) AS schema
}
WITH *, schema + ' ' + entities + ' ' + decisions + ' ' + decided AS others
RETURN loads + ' ' + finished + ' ' + sources + ' ' + others AS state, others, entities
