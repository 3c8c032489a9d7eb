// name: document_dates
// Of whom and of when documents are, with the versions of their sources.
// :param documents => ['sample:gout']
// returns: document, url, publisher, published, version, kinds
UNWIND $documents AS id
MATCH (d:Document {id: id})
OPTIONAL MATCH (d)-[:FROM]->(s:Source)
WITH d, collect(s)[0] AS s
RETURN d.id AS document, coalesce(d.url, '') AS url, coalesce(nullIf(d.journal, ''), nullIf(d.labeler, ''), nullIf(d.collection, ''), s.title, '') AS publisher,
       coalesce(d.published, '') AS published, coalesce(s.version, '') AS version,
       [kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL] AS kinds
