// name: section
// One whole section with its document and source.
// :param section => 'sample:asthma#2'
// returns: section, document, title, url, source, licence, notices, type, heading, question, text, rests_on, publisher, published, version, kinds
MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: $section})
MATCH (d)-[:FROM]->(source:Source)
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, source.id AS source,
       coalesce(d.licences, source.licence) AS licence, coalesce(d.notices, []) AS notices, s.type AS type, coalesce(s.heading, '') AS heading, coalesce(s.question, '') AS question, s.text AS text,
       coalesce(d.rests_on, []) AS rests_on,
       coalesce(nullIf(d.journal, ''), nullIf(d.labeler, ''), nullIf(d.collection, ''), source.title, '') AS publisher,
       coalesce(d.published, '') AS published, coalesce(source.version, '') AS version,
       [kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL] AS kinds
