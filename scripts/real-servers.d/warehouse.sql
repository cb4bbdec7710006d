-- The schema of the warehouse, and a table of an analyst: the customers whose orders are wanted.
CREATE SCHEMA shop;
CREATE TABLE shop.watchlist (customer integer PRIMARY KEY, reason text NOT NULL);
INSERT INTO shop.watchlist VALUES (5, 'new'), (13, 'late payment'), (27, 'it''s a reseller');
