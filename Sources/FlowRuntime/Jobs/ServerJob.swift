internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// A job at a server, as a run uses it and as a file stores it.
///
/// ```json
/// {"version":1,"flow":"shop.orders","id":"17","values":{"region":"eu"},"created_ms":1704067200000,"end_ms":1704070800000}
/// ```
struct ServerJob: Sendable, Hashable {
  /// The id that the server gave to the job: a text or a number.
  let id: JSONValue
  /// Further values of the response that created the job.
  var values: JSONObject
  /// The URL of the state; nil if the path of `poll` is requested.
  var statusURL: String?
  /// The time of the creation, since 1970.
  let created: Duration
  /// How many jobs for the same request failed before this one.
  var failedBefore = 0
  /// The time at which the job failed, since 1970; nil for a job that has not failed. A failed job is stored only if
  /// another job is to follow it.
  var failed: Duration?
  /// Whether the job is stored in a file, so that the next run finds it.
  var isRemembered = false

  init(id: JSONValue, values: JSONObject, created: Duration) {
    self.id = id
    self.values = values
    self.created = created
  }

  /// The id for messages, at most 80 characters.
  var name: String { String(id.plainText.prefix(80)) }

  /// The value of the name `job` in templates.
  var value: ExpressionValue {
    .map(
      [ExpressionMember("id", ExpressionValue(id))]
        + values.members.map { ExpressionMember($0.name, ExpressionValue($0.value)) })
  }

  // MARK: - File

  /// The bytes of the job's file.
  ///
  /// - Parameter end: the time after which no run continues the job, since 1970
  func bytes(of flow: String, end: Duration) -> [UInt8] {
    var object = JSONObject()
    object["version"] = .integer(StateVersion.jobs.number)
    object["flow"] = .string(flow)
    object["id"] = id
    if !values.members.isEmpty { object["values"] = .object(values) }
    if let statusURL { object["status_url"] = .string(statusURL) }
    if failedBefore > 0 { object["failed_before"] = .integer(Int64(failedBefore)) }
    if let failed { object["failed_ms"] = .integer(Self.milliseconds(failed)) }
    object["created_ms"] = .integer(Self.milliseconds(created))
    object["end_ms"] = .integer(Self.milliseconds(end))
    return JSONWriter.bytes(.object(object)) + [0x0A]
  }

  /// Reads the bytes of a job's file; nil for other content.
  ///
  /// - Parameter location: the file, for messages
  /// - Throws: for a later version of the format
  init?(reading bytes: [UInt8], at location: String) throws(ReactorError) {
    guard case .object(let object)? = try? JSONValue(parsing: bytes), let version = object["version"]?.int64 else {
      return nil
    }
    try StateVersion.jobs.check(version, at: location)
    guard version == StateVersion.jobs.number, let id = object["id"], id.isIdentifier,
      let created = object["created_ms"]?.int64
    else { return nil }
    var values = JSONObject()
    if case .object(let members)? = object["values"] { values = members }
    self.init(id: id, values: values, created: .milliseconds(created))
    statusURL = object["status_url"]?.string
    failedBefore = Int(clamping: max(object["failed_before"]?.int64 ?? 0, 0))
    failed = object["failed_ms"]?.int64.map { .milliseconds($0) }
    isRemembered = true
  }

  /// The time after which no run continues the job of a file, since 1970; nil if it cannot be read, also because it is
  /// of a later version.
  static func end(in bytes: [UInt8]) -> Duration? {
    guard let job = try? JSONValue(parsing: bytes), !StateVersion.jobs.isLater(job["version"]?.int64 ?? 0) else {
      return nil
    }
    return job["end_ms"]?.int64.map { .milliseconds($0) }
  }

  private static func milliseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension JSONValue {
  /// Whether the value can identify something: a number, or a text that is not empty.
  var isIdentifier: Bool {
    switch self {
    case .string(let text): !text.isEmpty
    case .number: true
    default: false
    }
  }
}
