// name: section_texts
// Whole sections with their documents and the entities those are about.
// :param sections => ['medquad:GARD_0000001#1']
// returns: section, document, title, aliases, url, source, collection, licence, notices, type, heading, question, text, entities, names, concepts, sentence_model, sentence_vectors, publisher, published, version, kinds, forms, label
UNWIND $sections AS id
MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: id})
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(s.aliases, []) AS aliases, coalesce(d.url, '') AS url,
       s.source AS source, coalesce(d.collection, '') AS collection,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices, s.type AS type,
       coalesce(s.heading, '') AS heading, coalesce(s.question, '') AS question, s.text AS text,
       COLLECT { MATCH (d)-[:ABOUT]->(e:Entity) RETURN e.id } AS entities,
       CASE COUNT { (d)-[:ABOUT]->() } WHEN 1 THEN
         [(d)-[:ABOUT]->(e:Entity) | [e.name] + coalesce(e.synonyms, [])][0][..40] ELSE [] END AS names,
       COLLECT { MATCH (d)-[:ABOUT]->(e:Entity)-[r:HAS_CUI|MEANS]->(c:Concept)
                 WHERE type(r) = 'MEANS' OR NOT EXISTS { (e)-[:MEANS]->() } // a title's CUIs may be those of its parts
                 RETURN DISTINCT c.cui } AS concepts,
       coalesce(s.sentence_model, '') AS sentence_model, s.sentence_vectors AS sentence_vectors,
       coalesce(nullIf(d.journal, ''), nullIf(d.labeler, ''), nullIf(d.collection, ''), [(d)-[:FROM]->(s0:Source) | s0.title][0], '') AS publisher,
       coalesce(d.published, '') AS published, coalesce([(d)-[:FROM]->(s0:Source) | s0.version][0], '') AS version,
       [kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL] AS kinds,
       coalesce(d.dosage_forms, []) AS forms, d.set_id IS NOT NULL AS label
