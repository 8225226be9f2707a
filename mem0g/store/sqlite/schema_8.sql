-- What version 8 of the layout changes: searches rank words in memory, so that stems are in plain tables and no full-text index
-- is kept; and vectors take twelve bits a component (mem0g.store.sqlite.packing), not thirty-two.

-- The stems of each text, separated by spaces. `keys`: how many keys its scope has, which count as stems; 0 for a message that
-- is found by its passages.
CREATE TABLE message_stems (n INTEGER PRIMARY KEY REFERENCES message, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE passage_stems (n INTEGER PRIMARY KEY REFERENCES passage, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE fact_stems (n INTEGER PRIMARY KEY REFERENCES fact, keys INTEGER NOT NULL, stems TEXT NOT NULL);
INSERT INTO message_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM message_terms_content;
INSERT INTO passage_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM passage_terms_content;
INSERT INTO fact_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM fact_terms_content;
DROP TABLE message_terms;
DROP TABLE passage_terms;
DROP TABLE fact_terms;
