internal import Storage

/// The statements of the shared state, and its tables.
///
/// | Table | A row for each |
/// |---|---|
/// | `reactor_shared_runs` | run in which several processes may take part |
/// | `reactor_claims` | unit of a run: flows that one process runs together |
/// | `reactor_ends` | flow of a run that has ended |
/// | `reactor_processes` | process that takes part in a run |
/// | `reactor_history` | flow of a run, for `reactor history` |
/// | `reactor_paces` | rate of requests, with the next start that is free |
/// | `reactor_permits` | request that may be without a response at a host |
/// | `reactor_demands` | process that has wanted permits of a host |
/// | `reactor_ranges` | range of a flow's parents that any process may request (`RangeStatements`) |
/// | `reactor_documents` | job of a server, or refresh token (`DocumentStatements`) |
///
/// All times are those of the database's clock, so that the clocks of the machines do not matter.
enum StateStatements {
  /// Says with one word which tables exist: `all`, also those that later versions have added; `some`; or `later` ones,
  /// whose columns have another meaning. Creating tables takes locks for which running statements would wait.
  static let exist = """
    SELECT CASE
      WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('reactor_shared_runs')
        AND attname = '\(StateVersion.laterColumn)' AND NOT attisdropped) THEN 'later'
      WHEN to_regclass('reactor_demands') IS NOT NULL AND to_regclass('reactor_ranges') IS NOT NULL
        AND to_regclass('reactor_documents') IS NOT NULL THEN 'all'
      ELSE 'some' END
    """

  /// The statements that create what is missing. They are sent at once, and therefore are one transaction.
  static let creation = """
    SET LOCAL client_min_messages = warning;
    SELECT pg_advisory_xact_lock(7382904410123);
    CREATE TABLE IF NOT EXISTS reactor_shared_runs (
      run text PRIMARY KEY, digest text NOT NULL DEFAULT '', units int NOT NULL DEFAULT 0,
      flows int NOT NULL DEFAULT 0, tool text NOT NULL, present bigint NOT NULL,
      began_at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz,
      reporter text, reporter_lease timestamptz, reported_at timestamptz);
    CREATE TABLE IF NOT EXISTS reactor_claims (
      run text NOT NULL, unit int NOT NULL, flows text NOT NULL, weight bigint NOT NULL,
      process text, fence bigint NOT NULL DEFAULT 0, lease timestamptz, claimed_at timestamptz, ended_at timestamptz,
      PRIMARY KEY (run, unit));
    CREATE INDEX IF NOT EXISTS reactor_claims_fresh ON reactor_claims (run, (-weight), unit) WHERE fence = 0;
    CREATE INDEX IF NOT EXISTS reactor_claims_returned ON reactor_claims (run, (-weight), unit)
      WHERE fence > 0 AND process IS NULL AND ended_at IS NULL;
    CREATE INDEX IF NOT EXISTS reactor_claims_held ON reactor_claims (run, process) WHERE ended_at IS NULL;
    CREATE TABLE IF NOT EXISTS reactor_ends (
      run text NOT NULL, flow text NOT NULL, unit int NOT NULL, process text NOT NULL, status text NOT NULL,
      exit int NOT NULL, report text NOT NULL, ended_at timestamptz NOT NULL, PRIMARY KEY (run, flow));
    CREATE TABLE IF NOT EXISTS reactor_processes (
      run text NOT NULL, process text NOT NULL, host text NOT NULL, pid int NOT NULL,
      began_at timestamptz NOT NULL, seen_at timestamptz NOT NULL, lease timestamptz NOT NULL, left_at timestamptz,
      PRIMARY KEY (run, process));
    CREATE TABLE IF NOT EXISTS reactor_history (
      number bigint GENERATED ALWAYS AS IDENTITY, run text NOT NULL, flow text NOT NULL, line text NOT NULL,
      duration bigint, PRIMARY KEY (run, flow));
    CREATE TABLE IF NOT EXISTS reactor_paces (
      budget text NOT NULL, requests int NOT NULL, seconds float8 NOT NULL, next_at timestamptz NOT NULL,
      PRIMARY KEY (budget, requests, seconds));
    CREATE TABLE IF NOT EXISTS reactor_permits (
      host text NOT NULL, number int NOT NULL, process text NOT NULL, lease timestamptz NOT NULL,
      PRIMARY KEY (host, number));
    CREATE TABLE IF NOT EXISTS reactor_demands (
      host text NOT NULL, process text NOT NULL, seen_at timestamptz NOT NULL, PRIMARY KEY (host, process));
    CREATE INDEX IF NOT EXISTS reactor_history_flow ON reactor_history (flow, number);
    \(RangeStatements.creation)
    \(DocumentStatements.creation)
    """

  /// Adds a run without flows, unless it exists.
  static let openRun = """
    INSERT INTO reactor_shared_runs (run, tool, present) VALUES ($1, $2, $3::bigint) ON CONFLICT (run) DO NOTHING
    """

  /// The time that is the present in all processes of a run, in seconds since 1970.
  static let present = "SELECT present FROM reactor_shared_runs WHERE run = $1"

  /// Makes a process the one that adds the units of a run; returns no row if another one does.
  ///
  /// The lease is in the columns of the reporter, which only the end of a run needs.
  static let electFounder = """
    UPDATE reactor_shared_runs SET reporter = $2, reporter_lease = clock_timestamp() + $3::float8 * interval '1 second'
    WHERE run = $1 AND digest = '' AND (reporter IS NULL OR reporter = $2 OR reporter_lease < clock_timestamp())
    RETURNING run
    """

  /// Adds the units of a run, unless another process has.
  static let addUnits = """
    WITH made AS (
      UPDATE reactor_shared_runs
      SET digest = $2, units = $3::int, flows = $4::int, reporter = NULL, reporter_lease = NULL
      WHERE run = $1 AND digest = '' RETURNING run)
    INSERT INTO reactor_claims (run, unit, flows, weight)
    SELECT made.run, u.unit, u.flows, u.weight
    FROM made, json_to_recordset($5::json) AS u(unit int, flows text, weight bigint)
    """

  /// The digest of a run, and the milliseconds since its beginning; adds the process.
  static let addProcess = """
    WITH added AS (
      INSERT INTO reactor_processes (run, process, host, pid, began_at, seen_at, lease)
      VALUES ($1, $2, $3, $4::int, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + $5::float8 * interval '1 second')
      ON CONFLICT (run, process) DO NOTHING)
    SELECT digest, flows, (extract(epoch FROM clock_timestamp() - began_at) * 1000)::bigint
    FROM reactor_shared_runs WHERE run = $1 AND digest <> ''
    """

  /// Claims the longest units that are free, and with `$7` above 0 those of processes that do not renew their leases.
  ///
  /// A unit is fresh, or it was given back, or its process is silent. The cost depends neither on how many units have
  /// ended nor on how many are held: fresh ones are looked for behind the last one that this process got
  /// (`$5` and `$6`), because the index still has those before it, until it is vacuumed; held ones are found by their
  /// processes, whose leases end before those of their units. With `$7` above 1 also those of processes that have left.
  ///
  /// A claim takes all fresh units that it locks, because another process that skips them does not look at them again.
  ///
  /// A process whose leases ran out while the database was away still runs its units, and renews them.
  static let claim = """
    WITH expired AS (
      SELECT c.unit FROM reactor_processes p CROSS JOIN LATERAL (
        SELECT unit FROM reactor_claims
        WHERE run = $1 AND process = p.process AND ended_at IS NULL AND lease < clock_timestamp()
        ORDER BY weight DESC, unit LIMIT $4::int FOR UPDATE SKIP LOCKED) c
      WHERE $7::int > 0 AND p.run = $1 AND p.process <> $2 AND (p.left_at IS NULL OR $7::int > 1)
        AND p.lease < (SELECT clock_timestamp())
      LIMIT $4::int),
    returned AS (
      SELECT unit FROM reactor_claims
      WHERE NOT EXISTS (SELECT FROM expired)
        AND run = $1 AND fence > 0 AND process IS NULL AND ended_at IS NULL
      ORDER BY -weight, unit LIMIT $4::int FOR UPDATE SKIP LOCKED),
    fresh AS (
      SELECT unit FROM reactor_claims
      WHERE NOT EXISTS (SELECT FROM expired) AND NOT EXISTS (SELECT FROM returned)
        AND run = $1 AND fence = 0 AND (-weight, unit) > ($5::bigint, $6::int)
      ORDER BY -weight, unit LIMIT $4::int FOR UPDATE SKIP LOCKED)
    UPDATE reactor_claims c
    SET process = $2, fence = c.fence + 1, lease = clock_timestamp() + $3::float8 * interval '1 second',
      claimed_at = clock_timestamp()
    WHERE c.run = $1 AND c.unit = ANY (ARRAY(
      SELECT unit FROM expired UNION ALL SELECT unit FROM returned UNION ALL SELECT unit FROM fresh))
    RETURNING c.unit, c.fence, c.weight, CASE WHEN c.fence > 1 THEN (
      SELECT coalesce(json_agg(e.flow), '[]')
      FROM json_array_elements_text(c.flows::json) f JOIN reactor_ends e ON e.run = c.run AND e.flow = f) END
    """

  /// Renews the leases of a process, also those of ranges; returns the units that it still holds.
  static let renew = """
    WITH seen AS (
      UPDATE reactor_processes
      SET seen_at = clock_timestamp(), lease = clock_timestamp() + $3::float8 * interval '1 second'
      WHERE run = $1 AND process = $2),
    ranges AS (
      UPDATE reactor_ranges SET lease = clock_timestamp() + $3::float8 * interval '1 second'
      WHERE run = $1 AND process = $2 AND responses IS NULL)
    UPDATE reactor_claims SET lease = clock_timestamp() + $3::float8 * interval '1 second'
    WHERE run = $1 AND process = $2 AND ended_at IS NULL RETURNING unit, fence
    """

  /// Stores the ends of flows whose units the process still holds; returns these flows.
  static let end = """
    WITH given AS (
      SELECT * FROM json_to_recordset($3::json) AS g(
        unit int, fence bigint, flow text, last boolean, status text, exit int, report text, line text, duration bigint)),
    held AS (
      SELECT c.unit FROM reactor_claims c
      WHERE c.run = $1 AND c.unit = ANY (ARRAY(SELECT g.unit FROM given g)) AND c.process = $2
        AND (c.unit, c.fence) IN (SELECT g.unit, g.fence FROM given g)
      ORDER BY c.unit FOR UPDATE),
    remembered AS (
      INSERT INTO reactor_history (run, flow, line, duration)
      SELECT $1, g.flow, g.line, g.duration FROM given g JOIN held USING (unit)
      ON CONFLICT (run, flow) DO UPDATE SET line = excluded.line, duration = excluded.duration),
    closed AS (
      UPDATE reactor_claims c SET ended_at = clock_timestamp(), lease = NULL
      WHERE c.run = $1 AND c.unit = ANY (ARRAY(SELECT g.unit FROM given g JOIN held USING (unit) WHERE g.last)))
    INSERT INTO reactor_ends (run, flow, unit, process, status, exit, report, ended_at)
    SELECT $1, g.flow, g.unit, $2, g.status, g.exit, g.report, clock_timestamp() FROM given g JOIN held USING (unit)
    ON CONFLICT (run, flow) DO UPDATE
    SET process = excluded.process, status = excluded.status, exit = excluded.exit, report = excluded.report,
      ended_at = excluded.ended_at
    RETURNING flow
    """

  /// Gives back what a process holds.
  static let leave = """
    WITH permits AS (DELETE FROM reactor_permits WHERE process = $2),
    demands AS (DELETE FROM reactor_demands WHERE process = $2),
    ranges AS (
      UPDATE reactor_ranges SET process = NULL, lease = NULL
      WHERE run = $1 AND process = $2 AND responses IS NULL),
    gone AS (UPDATE reactor_processes SET left_at = clock_timestamp() WHERE run = $1 AND process = $2)
    UPDATE reactor_claims SET process = NULL, lease = NULL WHERE run = $1 AND process = $2 AND ended_at IS NULL
    """

  /// Ends one unit without a further end of a flow.
  static let close = """
    UPDATE reactor_claims SET ended_at = clock_timestamp(), lease = NULL
    WHERE run = $1 AND process = $2 AND unit = $3::int AND fence = $4::bigint AND ended_at IS NULL
    """

  /// Gives one unit back.
  static let giveBack = """
    UPDATE reactor_claims SET process = NULL, lease = NULL
    WHERE run = $1 AND process = $2 AND unit = $3::int AND fence = $4::bigint AND ended_at IS NULL
    """

  /// Whether units of a run have not ended, and how many processes have not left it.
  static let remainder = """
    SELECT EXISTS (SELECT FROM reactor_claims WHERE run = $1 AND ended_at IS NULL)::int,
      (SELECT count(*) FROM reactor_processes WHERE run = $1 AND left_at IS NULL AND lease > (SELECT clock_timestamp()))
    """

  /// Makes a process the one that writes the report of a run; returns no row if it may not.
  static let electReporter = """
    UPDATE reactor_shared_runs SET reporter = $2, ended_at = coalesce(ended_at, clock_timestamp()),
      reporter_lease = clock_timestamp() + $3::float8 * interval '1 second'
    WHERE run = $1 AND reported_at IS NULL
      AND (reporter IS NULL OR reporter = $2 OR reporter_lease < clock_timestamp())
      AND NOT EXISTS (SELECT FROM reactor_claims WHERE run = $1 AND ended_at IS NULL)
    RETURNING run
    """

  static let noteReport =
    "UPDATE reactor_shared_runs SET reported_at = clock_timestamp() WHERE run = $1 AND reporter = $2"

  /// The row that proves, in the transaction of a load, that the process still holds a unit.
  static let proof = """
    SELECT unit FROM reactor_claims
    WHERE run = $1 AND unit = $2::int AND process = $3 AND fence = $4::bigint AND ended_at IS NULL FOR SHARE
    """

  /// The milliseconds of the last successful run of each flow that has requested its records.
  static let durations = """
    SELECT f.flow, h.duration FROM json_array_elements_text($1::json) AS f(flow),
      LATERAL (
        SELECT duration FROM reactor_history WHERE flow = f.flow AND duration IS NOT NULL
        ORDER BY number DESC LIMIT 1) h
    """

  // MARK: - Pace

  /// Reserves the next starts of a rate, evenly spaced; returns the time of the first one and the present one.
  static let reserveStarts = """
    INSERT INTO reactor_paces AS p (budget, requests, seconds, next_at)
    VALUES ($1, $2::int, $3::float8,
      clock_timestamp() + ($5::float8 + $4::int * ($3::float8 / $2::int)) * interval '1 second')
    ON CONFLICT (budget, requests, seconds) DO UPDATE SET next_at =
      greatest(p.next_at, clock_timestamp() + $5::float8 * interval '1 second')
      + $4::int * ($3::float8 / $2::int) * interval '1 second'
    RETURNING extract(epoch FROM p.next_at)::float8 - $4::int * ($3::float8 / $2::int),
      extract(epoch FROM clock_timestamp())::float8
    """

  /// Takes free permits of a host; returns their numbers, and the number of processes that want some.
  ///
  /// Each process that wants permits has an equal share. What others do not use of theirs, a process may take too.
  static let takePermits = """
    WITH wanted AS (
      INSERT INTO reactor_demands AS d (host, process, seen_at) VALUES ($1, $2, clock_timestamp())
      ON CONFLICT (host, process) DO UPDATE SET seen_at = excluded.seen_at),
    held AS (
      SELECT process, number FROM reactor_permits WHERE host = $1 AND lease > clock_timestamp()),
    present AS (
      SELECT process FROM reactor_demands WHERE host = $1 AND seen_at > clock_timestamp() - interval '2 seconds'
      UNION SELECT process FROM held UNION SELECT $2),
    shares AS (SELECT count(*)::int AS processes, greatest(1, $4::int / count(*)::int) AS share FROM present),
    owed AS (
      SELECT coalesce(sum(greatest(0, share - (SELECT count(*) FROM held h WHERE h.process = p.process))), 0) AS owed
      FROM present p, shares WHERE p.process <> $2),
    free AS (
      SELECT g FROM generate_series(1, $4::int) g WHERE g NOT IN (SELECT number FROM held) ORDER BY g
      LIMIT least($5::int, greatest(0,
        (SELECT share FROM shares) - $6::int,
        $4::int - (SELECT count(*) FROM held) - (SELECT owed FROM owed))::bigint)),
    taken AS (
      INSERT INTO reactor_permits AS p (host, number, process, lease)
      SELECT $1, g, $2, clock_timestamp() + $3::float8 * interval '1 second' FROM free
      ON CONFLICT (host, number) DO UPDATE SET process = excluded.process, lease = excluded.lease
      WHERE p.lease <= clock_timestamp() RETURNING number)
    SELECT number, processes FROM shares LEFT JOIN taken ON true
    """

  /// The number of processes that want permits of a host, or have some.
  static let countDemands = """
    SELECT count(*) FROM (
      SELECT process FROM reactor_demands WHERE host = $1 AND seen_at > clock_timestamp() - interval '2 seconds'
      UNION SELECT process FROM reactor_permits WHERE host = $1 AND lease > clock_timestamp()) p
    """

  /// Renews the permits of a process; returns their numbers.
  static let renewPermits = """
    UPDATE reactor_permits SET lease = clock_timestamp() + $3::float8 * interval '1 second'
    WHERE host = $1 AND process = $2 AND number = ANY ($4::int[]) RETURNING number
    """

  static let givePermits =
    "DELETE FROM reactor_permits WHERE host = $1 AND process = $2 AND number = ANY ($3::int[])"

  // MARK: - Reading

  static let head = """
    SELECT extract(epoch FROM began_at)::bigint,
      extract(epoch FROM coalesce(ended_at, clock_timestamp()) - began_at)::float8, flows, tool,
      (NOT EXISTS (SELECT FROM reactor_claims c WHERE c.run = r.run AND c.ended_at IS NULL))::int
    FROM reactor_shared_runs r WHERE run = $1 AND digest <> ''
    """

  static let members = """
    SELECT process, host, pid, extract(epoch FROM clock_timestamp() - seen_at)::float8, (left_at IS NOT NULL)::int,
      coalesce(e.count, 0)
    FROM reactor_processes p
      LEFT JOIN (SELECT process, count(*) FROM reactor_ends WHERE run = $1 GROUP BY process) e USING (process)
    WHERE run = $1 ORDER BY began_at, process
    """

  /// The flows of each held unit that have not ended.
  static let running = """
    SELECT c.process, (
      SELECT coalesce(json_agg(f), '[]') FROM json_array_elements_text(c.flows::json) f
      WHERE NOT EXISTS (SELECT FROM reactor_ends e WHERE e.run = c.run AND e.flow = f))
    FROM reactor_claims c WHERE c.run = $1 AND c.ended_at IS NULL AND c.process IS NOT NULL ORDER BY c.unit
    """

  static let ends = """
    SELECT flow, status, exit, CASE WHEN $2::boolean THEN report END FROM reactor_ends WHERE run = $1
    """

  static let lines = """
    SELECT line, run FROM (SELECT number, run, line FROM reactor_history ORDER BY number DESC LIMIT 100000) l
    ORDER BY number
    """

  static let lastLines = """
    SELECT line FROM (
      SELECT DISTINCT ON (flow) number, line FROM reactor_history WHERE run <> $1 ORDER BY flow, number DESC) l
    ORDER BY number
    """
}
