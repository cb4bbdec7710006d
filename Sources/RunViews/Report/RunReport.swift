package import JSONSyntax

/// A run that is over, as every report tells it: plain values in which secrets are hidden already.
///
/// All formats are made from it, and the JSON report is this value written out, so that reports of several machines can
/// be read back and joined.
package struct RunReport: Sendable, Hashable {
  /// The version of the JSON form.
  package static let version: Int64 = 1

  /// Version of the program that ran.
  package var tool: String
  /// False when the run was stopped early.
  package var isComplete: Bool
  /// The exit code of the run.
  package var exit: Int32
  /// Which part of a selection was run, where only a part was.
  package var shard: Shard?
  /// Whether times are told.
  package var hasTiming: Bool
  /// From start to end, in milliseconds.
  package var duration: Int64?
  /// Problems of the flow files, by place.
  package var problems: [Problem]
  /// In plan order.
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

    /// Whether it kept something from running.
    package var isError: Bool { json["severity"]?.string == "error" }
    /// Stable name of the kind.
    package var code: String { json["code"]?.string ?? "" }
    /// What is wrong.
    package var message: String { json["message"]?.string ?? "" }
    /// Where.
    package var file: String? { json["file"]?.string }
    /// From 1.
    package var line: Int? { json["line"]?.int64.map { Int(clamping: $0) } }
    /// From 1.
    package var column: Int? { json["column"]?.int64.map { Int(clamping: $0) } }
    /// How to fix it.
    package var help: String? { json["help"]?.string }

    /// `flows/a.yaml:2:15`; empty without a place.
    package var place: String {
      guard let file else { return "" }
      return file + (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "")
    }
  }

  /// The errors among the problems.
  package var faults: [Problem] { problems.filter(\.isError) }

  /// Flows that stand at a status.
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
