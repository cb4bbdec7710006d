package import JSONSyntax

/// A run that has ended, with all data of its reports. Secrets are already masked.
///
/// All formats are written from this value. The JSON report contains the whole value, so reports of several machines
/// can be read and joined. `shape` describes each member.
package struct RunReport: Sendable, Hashable {
  /// The version of the JSON format.
  package static let version: Int64 = 1

  package var tool: String
  package var isComplete: Bool
  package var exit: Int32
  package var shard: Shard?
  /// Whether the report contains times.
  package var hasTiming: Bool
  /// When the run began, in UTC (RFC 3339, to the second); nil without times.
  package var startedAt: String?
  package var duration: Int64?
  /// The id of the trace of the run (W3C Trace Context), 32 hexadecimal digits; nil without times, and when no receiver
  /// and no server has it.
  package var traceID: String?
  package var problems: [Problem]
  package var flows: [Flow]

  /// Creates a report.
  package init(
    tool: String, isComplete: Bool, exit: Int32, shard: Shard? = nil, hasTiming: Bool, startedAt: String? = nil,
    duration: Int64? = nil, problems: [Problem] = [], flows: [Flow]
  ) {
    self.tool = tool
    self.isComplete = isComplete
    self.exit = exit
    self.shard = shard
    self.hasTiming = hasTiming
    self.startedAt = startedAt
    self.duration = duration
    self.problems = problems
    self.flows = flows
  }

  /// One part of a divided selection: `2/5`, or `2/5@0f3a9c12` in a division with a name.
  package struct Shard: Sendable, Hashable {
    /// The number of the part, from 1.
    package let number: Int
    /// The number of all parts.
    package let count: Int
    /// The name of the division, which all parts have in common; nil when the ids of the flows decide.
    package var division: String?

    /// Creates a part.
    package init(_ number: Int, of count: Int, division: String? = nil) {
      self.number = number
      self.count = count
      self.division = division
    }

    /// Parses the text of a part; nil unless the number is between 1 and the number of parts.
    package init?(_ text: String) {
      let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        let number = Int(parts[0]), let count = Int(parts[1]), number >= 1, number <= count, count <= 10_000
      else { return nil }
      self.init(number, of: count, division: halves.count > 1 ? String(halves[1]) : nil)
    }

    /// The part as text.
    package var text: String { "\(number)/\(count)" + (division.map { "@\($0)" } ?? "") }
  }

  /// A problem of a flow file, with the members of a diagnostic's own JSON format.
  package struct Problem: Sendable, Hashable {
    /// The whole JSON object.
    package let json: JSONValue

    /// Creates a problem from its JSON object.
    package init(_ json: JSONValue) { self.json = json }

    /// Whether the problem is an error, so that flows of the file did not run.
    package var isError: Bool { json["severity"]?.string == "error" }
    package var code: String { json["code"]?.string ?? "" }
    package var message: String { json["message"]?.string ?? "" }
    package var file: String? { json["file"]?.string }
    package var line: Int? { json["line"]?.int64.map { Int(clamping: $0) } }
    package var help: String? { json["help"]?.string }

    /// The source location, `flows/a.yaml:2:15`; empty when it is unknown.
    package var location: String {
      let numbers = [json["line"], json["column"]].compactMap { $0?.int64.map { ":\($0)" } }
      return file.map { $0 + numbers.joined() } ?? ""
    }
  }

  /// The errors among the problems.
  package var errors: [Problem] { problems.filter(\.isError) }

  /// The number of flows with a status.
  package func count(_ status: Flow.Status) -> Int { flows.count { $0.status == status } }

  /// The number of records of all flows that match their declarations.
  package var records: Int { flows.reduce(0) { $0 &+ $1.records } }
  /// The number of records that do not match their declarations.
  package var rejected: Int { flows.reduce(0) { $0 &+ $1.rejected } }
  /// The number of records that the flows' filters left out.
  package var filtered: Int { flows.reduce(0) { $0 &+ $1.filtered } }
  /// The number of decoded bytes.
  package var bytes: Int { flows.reduce(0) { $0 &+ $1.bytes } }

  /// The counts as a sentence: `12 flows: 10 passed, 1 failed, 1 error`.
  package var sentence: String {
    var parts = ["\(count(.passed)) passed"]
    if count(.failed) > 0 { parts.append("\(count(.failed)) failed") }
    if count(.error) > 0 { parts.append(Quantity.count(count(.error), "error")) }
    if count(.cancelled) > 0 { parts.append("\(count(.cancelled)) cancelled") }
    return Quantity.count(flows.count, "flow") + ": " + parts.joined(separator: ", ")
  }
}
