// name: unload_found_relations
// Takes what only texts of sources told out of the relations between concepts, after their documents have gone.
// :param sources => ['medquad']
// returns:
CYPHER 25
MATCH (:Concept)-[r]->(:Concept)
WHERE any(source IN r.told WHERE source IN $sources)
CALL (r) {
  WITH r, [source IN r.told WHERE NOT source IN $sources] AS told, [id IN r.sections WHERE EXISTS { (:Section {id: id}) }] AS sections,
       (1 - r.told_score) ^ (1.0 / r.section_count) AS doubt // of each section, as if all were equally sure
  CALL (r, told, sections, doubt) {
    WHEN told = [] AND r.stated = [] THEN {
      DELETE r
    }
    ELSE {
      SET r += {told: told, sections: sections, section_count: size(sections), sources: r.stated + [s IN told WHERE NOT s IN r.stated],
                surfaces: CASE told WHEN [] THEN null ELSE r.surfaces END,
                told_score: CASE told WHEN [] THEN null ELSE round(1 - doubt ^ size(sections), 4) END}
      SET r.score = round(1 - (1 - coalesce(CASE WHEN 0 <= r.stated_score <= 1 THEN r.stated_score END, 0.8)) ^ size(r.stated)
                                * (1 - coalesce(r.told_score, 0)), 4)
    }
  }
} IN TRANSACTIONS OF 10000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
