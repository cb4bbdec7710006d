/// The statements of the documents in the shared state, and their table `reactor_documents`.
///
/// A document that is locked has a locker (a random id of the lock), a lease and a number, which grows with each locker.
/// A row without bytes is that of a lock.
enum DocumentStatements {
  static let creation = """
    CREATE TABLE IF NOT EXISTS reactor_documents (
      kind text NOT NULL, name text NOT NULL, bytes bytea, written_at timestamptz,
      locker text, lease timestamptz, fence bigint NOT NULL DEFAULT 0, PRIMARY KEY (kind, name));
    """

  static let read = "SELECT encode(bytes, 'hex') FROM reactor_documents WHERE kind = $1 AND name = $2"

  /// Replaces a document, whoever has its lock.
  static let write = """
    INSERT INTO reactor_documents (kind, name, bytes, written_at)
    VALUES ($1, $2, decode($3, 'hex'), clock_timestamp())
    ON CONFLICT (kind, name) DO UPDATE SET bytes = excluded.bytes, written_at = excluded.written_at
    """

  /// Replaces a document if nobody else has got its lock since; returns no row otherwise.
  ///
  /// The lease does not matter: while nobody else has the lock, nobody has read what is replaced.
  static let writeLocked = """
    UPDATE reactor_documents SET bytes = decode($3, 'hex'), written_at = clock_timestamp()
    WHERE kind = $1 AND name = $2 AND locker = $4 AND fence = $5::bigint RETURNING fence
    """

  /// Removes a document, but not its lock.
  static let remove = """
    WITH emptied AS (
      UPDATE reactor_documents SET bytes = NULL, written_at = NULL
      WHERE kind = $1 AND name = $2 AND locker IS NOT NULL)
    DELETE FROM reactor_documents WHERE kind = $1 AND name = $2 AND locker IS NULL
    """

  static let names = """
    SELECT name FROM reactor_documents WHERE kind = $1 AND starts_with(name, $2) AND bytes IS NOT NULL
    """

  /// Locks a document that nobody has locked, or whose locker does not renew its lease any more; returns the number of
  /// the lock, and no row if it is held. A locker that asks again keeps its number.
  static let lock = """
    INSERT INTO reactor_documents AS d (kind, name, locker, lease, fence)
    VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 second', 1)
    ON CONFLICT (kind, name) DO UPDATE
    SET locker = $3, lease = clock_timestamp() + $4::float8 * interval '1 second',
      fence = d.fence + (d.locker IS DISTINCT FROM $3)::int
    WHERE d.locker IS NULL OR d.locker = $3 OR d.lease < clock_timestamp()
    RETURNING fence
    """

  static let renew = """
    UPDATE reactor_documents SET lease = clock_timestamp() + $4::float8 * interval '1 second'
    WHERE kind = $1 AND name = $2 AND locker = $3 RETURNING fence
    """

  static let release = """
    UPDATE reactor_documents SET locker = NULL, lease = NULL WHERE kind = $1 AND name = $2 AND locker = $3
    """
}
