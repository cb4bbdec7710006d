-- Every SQLite value that Datasette shows as JSON: integers above 2^53, reals, nulls, text of several scripts.
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  price REAL,
  stock INTEGER,
  note TEXT,
  added TEXT NOT NULL
);
INSERT INTO products VALUES
  (1, 'Teapot', 24.5, 12, NULL, '2024-01-01T08:00:00Z'),
  (2, 'Käsereibe', 7.25, 0, 'two "quoted" words', '2024-01-02T09:30:00+01:00'),
  (3, '茶碗', NULL, 3, 'line one' || char(10) || 'line two', '2024-02-29T23:59:59Z'),
  (4, 'Spoon 🥄', 0.1, NULL, '', '2024-03-01T00:00:00.250Z'),
  (5, 'Back\slash, comma', 1e-7, -1, 'tab' || char(9) || 'end', '2024-12-31T23:59:59-08:00'),
  (9007199254740993, 'Above 2^53', 1234567.875, 9223372036854775807, NULL, '2025-01-01T00:00:00Z');

CREATE TABLE visits (id INTEGER PRIMARY KEY, product INTEGER NOT NULL, seconds REAL NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 750)
INSERT INTO visits SELECT i, 1 + i % 5, i / 8.0 FROM n;
