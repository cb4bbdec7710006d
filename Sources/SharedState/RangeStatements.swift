/// The statements that pass ranges of a flow's parents between processes (`RangeExchange`).
///
/// A range belongs to the claim of its flow: with another fencing number it is another process's offer.
enum RangeStatements {
  static let creation = """
    CREATE TABLE IF NOT EXISTS reactor_ranges (
      run text NOT NULL, flow text NOT NULL, number int NOT NULL, unit int NOT NULL, fence bigint NOT NULL,
      content text NOT NULL, process text, lease timestamptz, responses bytea, PRIMARY KEY (run, flow, number));
    """

  /// Offers a range of a flow whose unit the process holds, in place of that of an earlier process.
  static let offer = """
    INSERT INTO reactor_ranges AS r (run, flow, number, unit, fence, content)
    SELECT c.run, $3, $6::int, c.unit, c.fence, $7 FROM reactor_claims c
    WHERE c.run = $1 AND c.process = $2 AND c.unit = $4::int AND c.fence = $5::bigint AND c.ended_at IS NULL
    ON CONFLICT (run, flow, number) DO UPDATE
    SET fence = excluded.fence, content = excluded.content, process = NULL, lease = NULL, responses = NULL
    WHERE r.fence < excluded.fence
    """

  /// Takes one range for the process of its flow, and drops those before it; returns whether it was taken, and the
  /// responses that another process has stored.
  static let claim = """
    WITH gone AS (
      DELETE FROM reactor_ranges WHERE run = $1 AND flow = $3 AND fence = $4::bigint AND number < $5::int),
    taken AS (
      UPDATE reactor_ranges SET process = $2, lease = clock_timestamp() + $6::float8 * interval '1 second'
      WHERE run = $1 AND flow = $3 AND fence = $4::bigint AND number = $5::int AND responses IS NULL
        AND (process IS NULL OR process = $2 OR lease < clock_timestamp())
      RETURNING number)
    SELECT (SELECT count(*) FROM taken)::int, translate(encode(responses, 'base64'), chr(10), '') FROM reactor_ranges
    WHERE run = $1 AND flow = $3 AND fence = $4::bigint AND number = $5::int
    """

  /// Takes the first free range from a number on for the process of its flow; returns its number.
  static let claimFree = """
    WITH free AS (
      SELECT number FROM reactor_ranges
      WHERE run = $1 AND flow = $3 AND fence = $4::bigint AND number >= $5::int AND responses IS NULL
        AND (process IS NULL OR lease < clock_timestamp())
      ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE reactor_ranges r SET process = $2, lease = clock_timestamp() + $6::float8 * interval '1 second'
    FROM free WHERE r.run = $1 AND r.flow = $3 AND r.number = free.number RETURNING r.number
    """

  /// Takes a range of a flow that another process runs; returns the flow, the number, the fencing number and the
  /// content.
  static let help = """
    WITH free AS (
      SELECT r.flow, r.number FROM reactor_ranges r
      WHERE r.run = $1 AND r.responses IS NULL AND (r.process IS NULL OR r.lease < clock_timestamp())
        AND EXISTS (
          SELECT FROM reactor_claims c
          WHERE c.run = r.run AND c.unit = r.unit AND c.fence = r.fence AND c.ended_at IS NULL AND c.process <> $2)
      ORDER BY r.number, r.flow LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE reactor_ranges r SET process = $2, lease = clock_timestamp() + $3::float8 * interval '1 second'
    FROM free WHERE r.run = $1 AND r.flow = free.flow AND r.number = free.number
    RETURNING r.flow, r.number, r.fence, r.content
    """

  /// Stores the responses to a range that the process holds.
  static let respond = """
    UPDATE reactor_ranges SET responses = decode($6, 'base64'), lease = NULL
    WHERE run = $1 AND process = $2 AND flow = $3 AND number = $4::int AND fence = $5::bigint AND responses IS NULL
    """

  /// Withdraws the ranges of a flow, also those of processes that had it before.
  static let end = "DELETE FROM reactor_ranges WHERE run = $1 AND flow = $2 AND fence <= $3::bigint"

  /// The processes that request ranges, with the flows.
  static let requested = """
    SELECT DISTINCT process, flow FROM reactor_ranges
    WHERE run = $1 AND process IS NOT NULL AND responses IS NULL ORDER BY process, flow
    """
}
