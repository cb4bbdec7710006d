package import JSONSyntax

/// A run that is over, as every report shows it: plain values in which secrets are masked already.
///
/// All formats are made from it. The JSON report is this value written out, so reports of several machines can be read
/// back and joined. `shape` says what each member means.
package struct RunReport: Sendable, Hashable {
  /// The version of the JSON form.
  package static let version: Int64 = 1

  package var tool: String
  package var isComplete: Bool
  package var exit: Int32
  package var shard: Shard?
  /// Whether the report has times.
  package var hasTiming: Bool
  package var duration: Int64?
  package var problems: [Problem]
  package var flows: [Flow]

  /// Joins the parts.
  package init(
    tool: String, isComplete: Bool, exit: Int32, shard: Shard? = nil, hasTiming: Bool, duration: Int64? = nil,
    problems: [Problem] = [], flows: [Flow]
  ) {
    self.tool = tool
    self.isComplete = isComplete
    self.exit = exit
    self.shard = shard
    self.hasTiming = hasTiming
    self.duration = duration
    self.problems = problems
    self.flows = flows
  }

  /// One part of a selection that was divided: `2/5`.
  package struct Shard: Sendable, Hashable {
    /// From 1.
    package let number: Int
    /// How many parts there are.
    package let count: Int

    /// Names a part.
    package init(_ number: Int, of count: Int) {
      self.number = number
      self.count = count
    }

    /// Reads `2/5`; nil unless the number is one of the parts.
    package init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        let number = Int(parts[0]), let count = Int(parts[1]), number >= 1, number <= count, count <= 10_000
      else { return nil }
      self.init(number, of: count)
    }

    /// `2/5`
    package var text: String { "\(number)/\(count)" }
  }

  /// A problem of a flow file, with the members of a diagnostic's own JSON form.
  package struct Problem: Sendable, Hashable {
    /// The whole object.
    package let json: JSONValue

    /// Takes an object.
    package init(_ json: JSONValue) { self.json = json }

    /// Whether it is an error, so that flows of the file did not run.
    package var isError: Bool { json["severity"]?.string == "error" }
    package var code: String { json["code"]?.string ?? "" }
    package var message: String { json["message"]?.string ?? "" }
    package var file: String? { json["file"]?.string }
    package var line: Int? { json["line"]?.int64.map { Int(clamping: $0) } }
    package var help: String? { json["help"]?.string }

    /// `flows/a.yaml:2:15`; empty without a source location.
    package var location: String {
      let numbers = [json["line"], json["column"]].compactMap { $0?.int64.map { ":\($0)" } }
      return file.map { $0 + numbers.joined() } ?? ""
    }
  }

  /// The errors among the problems.
  package var errors: [Problem] { problems.filter(\.isError) }

  /// The number of flows with a status.
  package func count(_ status: Flow.Status) -> Int { flows.count { $0.status == status } }

  /// Records that fit, of all flows.
  package var records: Int { flows.reduce(0) { $0 &+ $1.records } }
  /// Records that did not fit.
  package var rejected: Int { flows.reduce(0) { $0 &+ $1.rejected } }
  /// Records that were left out because they are not wanted.
  package var filtered: Int { flows.reduce(0) { $0 &+ $1.filtered } }
  /// Decoded bytes.
  package var bytes: Int { flows.reduce(0) { $0 &+ $1.bytes } }

  /// `12 flows: 10 passed, 1 failed, 1 error`
  package var sentence: String {
    var parts = ["\(count(.passed)) passed"]
    if count(.failed) > 0 { parts.append("\(count(.failed)) failed") }
    if count(.error) > 0 { parts.append(Quantity.count(count(.error), "error")) }
    if count(.cancelled) > 0 { parts.append("\(count(.cancelled)) cancelled") }
    return Quantity.count(flows.count, "flow") + ": " + parts.joined(separator: ", ")
  }
}
