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

-- More rows than one page, with an index that pages can be checked by.
CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, celsius REAL NOT NULL, at TEXT NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO readings SELECT i, 'sensor-' || (1 + i % 4), 15 + i / 16.0, strftime('%Y-%m-%dT%H:%M:%SZ', 1704067200 + i * 60, 'unixepoch') FROM n;

-- Parents and children: customer N has N % 7 orders, so that some have none and the eldest id is not the busiest.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO customers SELECT i, 'Customer ' || i, CASE i % 3 WHEN 0 THEN 'DE' WHEN 1 THEN 'JP' ELSE 'US' END FROM n;
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer INTEGER NOT NULL REFERENCES customers (id),
  amount REAL NOT NULL,
  placed TEXT NOT NULL
);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
INSERT INTO orders
SELECT customers.id * 100 + i, customers.id, customers.id + i / 4.0,
  strftime('%Y-%m-%dT%H:%M:%SZ', 1704067200 + (customers.id * 10 + i) * 3600, 'unixepoch')
FROM customers, n WHERE i < customers.id % 7;
CREATE INDEX orders_of_customer ON orders (customer);
