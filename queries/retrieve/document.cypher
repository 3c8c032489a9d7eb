// name: document
// One document with the text of its sections, in order.
// :param document => 'sample:gout'
// returns: document, title, url, source, licence, published, version, kinds, sections
MATCH (d:Document {id: $document})-[:FROM]->(source:Source)
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  WITH s ORDER BY s.position, s.id
  RETURN collect({section: s.id, type: s.type, heading: coalesce(s.heading, ''), text: s.text}) AS sections
}
RETURN d.id AS document, d.title AS title, coalesce(d.url, '') AS url, source.id AS source,
       coalesce(d.licences, source.licence) AS licence, toString(coalesce(d.published, '')) AS published,
       coalesce(source.version, '') AS version,
       [kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL] AS kinds, sections
