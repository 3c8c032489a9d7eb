// Words that fold to others (Sjögren, ﬁbrosis, H₂O₂) stand folded beside texts and names, which stay as they are; the
// full-text indexes have them too. New texts get them as they are loaded, those of a bulk load before it is noted; here those that
// the graph holds do.
CYPHER 25
MATCH (n:Section|Question)
WHERE n.folded IS NULL AND EXISTS { (:Load) }
WITH n, reduce(text = '', part IN [n.title, n.question, n.heading, n.text] + coalesce(n.aliases, []) |
               CASE WHEN part IS NULL THEN text ELSE text + ' ' + part END) AS said
WHERE said =~ '(?s).*[\\u00AA\\u00AD\\u00B2-\\u00BE\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u0300-\\u036F\\u0391-\\u03C9\\u1E00-\\u1EFF\\u2070-\\u209F\\uFB00-\\uFB06\\uFF01-\\uFF5E].*'
CALL (n, said) {
  WITH n, [word IN split(replace(replace(said, '\n', ' '), '\t', ' '), ' ')
           WHERE word =~ '.*[\\u00AA\\u00AD\\u00B2-\\u00BE\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u0300-\\u036F\\u0391-\\u03C9\\u1E00-\\u1EFF\\u2070-\\u209F\\uFB00-\\uFB06\\uFF01-\\uFF5E].*'] AS words
  WITH n, reduce(text = '', word IN words | text + ' ' + normalize(word, NFKD)) AS text
  WITH n, reduce(plain = text, mark IN split('\u00AD\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030A\u030B\u030C\u030F\u0311\u031B\u0323\u0324\u0325\u0326\u0327\u0328\u032D\u032E\u0330\u0331', '') |
                 replace(plain, mark, '')) AS text
  SET n.folded = reduce(plain = text, pair IN [['ß', 'ss'], ['æ', 'ae'], ['œ', 'oe'], ['ø', 'o'], ['ł', 'l'], ['đ', 'd'],
    ['Æ', 'AE'], ['Ø', 'O'], ['Ł', 'L'], ['α', 'alpha'], ['β', 'beta'], ['γ', 'gamma'], ['δ', 'delta'], ['Δ', 'delta'],
    ['ε', 'epsilon'], ['κ', 'kappa'], ['λ', 'lambda'], ['μg', 'ug'], ['μm', 'um'], ['μl', 'ul'], ['μL', 'uL'], ['μM', 'uM'],
    ['μ', 'mu'], ['ω', 'omega'], ['σ', 'sigma'], ['τ', 'tau'], ['θ', 'theta'], ['ζ', 'zeta']] | replace(plain, pair[0], pair[1]))
} IN TRANSACTIONS OF 2000 ROWS;
CYPHER 25
MATCH (d:Document)
WHERE d.folded IS NULL AND EXISTS { (:Load) }
WITH d, [name IN coalesce(d.authors, []) + coalesce(d.mesh_headings, []) + coalesce([d.journal], [])
         WHERE name =~ '.*[^\\x00-\\x7F].*'] AS names
WHERE names <> []
CALL (d, names) {
  SET d.folded = [name IN names |
    reduce(plain = normalize(name, NFKD), mark IN split('\u00AD\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030A\u030B\u030C\u030F\u0311\u031B\u0323\u0324\u0325\u0326\u0327\u0328\u032D\u032E\u0330\u0331', '') |
      replace(replace(replace(replace(plain, mark, ''), 'ø', 'o'), 'ł', 'l'), 'ß', 'ss'))]
} IN TRANSACTIONS OF 2000 ROWS;
DROP INDEX section_text IF EXISTS;
CREATE FULLTEXT INDEX section_text IF NOT EXISTS
FOR (n:Section) ON EACH [n.title, n.aliases, n.question, n.heading, n.text, n.folded, n.source, n.collection, n.type, n.published]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
DROP INDEX question_text IF EXISTS;
CREATE FULLTEXT INDEX question_text IF NOT EXISTS
FOR (n:Question) ON EACH [n.text, n.folded, n.source, n.collection, n.type, n.published]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
DROP INDEX document_origin IF EXISTS;
CREATE FULLTEXT INDEX document_origin IF NOT EXISTS
FOR (n:Document) ON EACH [n.authors, n.journal, n.mesh_headings, n.notices, n.folded]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
// Titles and abstracts in other languages, each with its language: they are searched where a language is asked for.
CREATE FULLTEXT INDEX document_translation IF NOT EXISTS
FOR (n:Document) ON EACH [n.translations]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding', `fulltext.eventually_consistent`: true}};
