// name: cited_section
// What a citation rests on: the section, its document, the source it is from and the entities it is about.
// :param section => 'sample:asthma#2'
// returns: cited, about
MATCH cited = (:Section {id: $section})<-[:HAS_SECTION]-(d:Document)-[:FROM]->(:Source)
OPTIONAL MATCH about = (d)-[:ABOUT]->(:Entity)
RETURN cited, about
