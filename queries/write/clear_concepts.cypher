// name: clear_concepts
// Removes the links to concepts of what a source is about to state anew.
// :param rows => [{id: 'medquad:asthma', source: 'medquad'}]
// returns:
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})-[h:HAS_CUI {source: row.source}]->(:Concept)
USING INDEX SEEK e:Entity(id)
DELETE h
