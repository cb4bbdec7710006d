internal import ByteCodings
internal import JSONSyntax

/// Why no recording matches a request: the closest recording, the differences and the remedy.
///
/// The report has at most 32 lines.
package struct MissReport: Sendable, Hashable {
  /// The maximum length of a line in characters.
  private static let longestLine = 240

  /// The request without a recording.
  package let request: RecordedRequest
  /// The report as one sentence, which begins with `replay miss: `.
  package let sentence: String
  /// The full report, line by line.
  package let lines: [String]
  /// The number of the closest recording, from 1; nil when there is none.
  package let closest: Int?
  /// The query parameters that differ from the closest recording.
  package let parameters: [String]
  /// The maximum number of lines. The location of the request's declaration may add one more.
  static let maximumLines = 31

  init(
    _ request: RecordedRequest, occurrence: Int, flow: String, path: String, cassette: Cassette?,
    matching: RequestMatching
  ) {
    self.request = request
    let record = "reactor record -s \(flow) --record new"
    guard let cassette else {
      (closest, parameters) = (nil, [])
      sentence = "replay miss: \(path) does not exist; asked \(request.line)"
      lines = [
        "replay miss: there is no recording of this flow", "asked     \(Self.cut(request.line))",
        "fix       reactor record -s \(flow)",
      ]
      return
    }
    let same = cassette.entries.indices.filter {
      matching.key(cassette.entries[$0].request) == matching.key(request)
    }
    if let last = same.last {
      (closest, parameters) = (last + 1, [])
      sentence = "replay miss: asked \(Self.times(occurrence)), recorded \(Self.times(same.count)): \(request.line)"
      lines = [
        "replay miss: recorded \(Self.times(same.count)), but asked for the \(Self.ordinal(occurrence)) time",
        "asked     \(Self.cut(request.line))", "closest   entry \(last + 1) of \(path)",
        "fix       if the change is intended: \(record);  if it may be sent any number of times: match.repeat: true",
      ]
      return
    }
    let ranked = cassette.entries.indices.map { ($0, Self.distance(request, cassette.entries[$0].request, matching)) }
    guard let (index, _) = ranked.min(by: { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 < $1.1 }) else {
      (closest, parameters) = (nil, [])
      sentence = "replay miss: \(path) contains no recording; asked \(request.line)"
      lines = [
        "replay miss: the recording of this flow is empty", "asked     \(Self.cut(request.line))",
        "fix       \(record)",
      ]
      return
    }
    let other = cassette.entries[index].request
    closest = index + 1
    let (parts, details, ignorable) = Self.differences(request, other, matching)
    parameters = ignorable
    let differs = parts.joined(separator: ", ")
    sentence =
      "replay miss: no recording matches \(request.line); the closest is entry \(index + 1), which differs in \(differs)"
    var all = [
      "replay miss: no recording matches (closest differs in \(differs))", "asked     \(Self.cut(request.line))",
      "closest   \(Self.cut(other.line))      entry \(index + 1) of \(path)",
    ]
    let room = Self.maximumLines - all.count - 2
    all += details.prefix(room).map(Self.cut)
    if details.count > room { all.append("          and \(details.count - room) more differences") }
    var fix = "fix       if the change is intended: \(record)"
    if !ignorable.isEmpty { fix += ";  if it varies: match.ignore_query: [\(ignorable.joined(separator: ", "))]" }
    if parts == ["body"] { fix += ";  if it varies: match.body: false" }
    all.append(fix)
    lines = all
  }

  private static func distance(_ left: RecordedRequest, _ right: RecordedRequest, _ matching: RequestMatching) -> Int {
    var distance = 0
    if left.method != right.method { distance += 6 }
    if left.path != right.path {
      let (a, b) = (left.path.split(separator: "/"), right.path.split(separator: "/"))
      distance += 4 + 4 * (zip(a, b).count { $0 != $1 } + abs(a.count - b.count))
    }
    distance += queryDifferences(left, right, matching).count
    if left.headers != right.headers { distance += 2 }
    if !matching.ignoresBody, left.body != right.body { distance += 2 }
    return distance
  }

  private static func queryDifferences(
    _ left: RecordedRequest, _ right: RecordedRequest, _ matching: RequestMatching
  ) -> [(name: String, asked: String?, recorded: String?)] {
    var names: [String] = []
    for parameter in right.parameters + left.parameters
    where !names.contains(parameter.name) && !matching.ignoredQuery.contains(PercentCoding.decode(parameter.name)) {
      names.append(parameter.name)
    }
    func values(_ request: RecordedRequest, _ name: String) -> String? {
      let values = request.parameters.filter { $0.name == name }.map { PercentCoding.decode($0.value) }
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    return names.compactMap { name in
      let (asked, recorded) = (values(left, name), values(right, name))
      return asked == recorded ? nil : (PercentCoding.decode(name), asked, recorded)
    }
  }

  private static func differences(
    _ asked: RecordedRequest, _ recorded: RecordedRequest, _ matching: RequestMatching
  ) -> (parts: [String], details: [String], ignorable: [String]) {
    var (parts, details, ignorable) = ([String](), [String](), [String]())
    if asked.method != recorded.method {
      parts.append("method")
      details.append("method    - \(recorded.method)   + \(asked.method)")
    }
    if asked.path != recorded.path {
      parts.append("path")
      details.append("path      - \(recorded.path)")
      details.append("          + \(asked.path)")
    }
    let query = queryDifferences(asked, recorded, matching)
    if !query.isEmpty {
      parts.append("query")
      for (name, new, old) in query {
        let old = old.map { "- \(name)=\($0)   " } ?? ""
        let new = new.map { "+ \(name)=\($0)" } ?? "(left out)"
        details.append("query     \(old)\(new)")
      }
      ignorable = query.map(\.name)
    }
    let (old, new) = (recorded.headers, asked.headers)
    if old != new {
      parts.append("headers")
      details += old.filter { !new.contains($0) }.map { "header    - \($0.line)" }
      details += new.filter { !old.contains($0) }.map { "header    + \($0.line)" }
    }
    if !matching.ignoresBody, asked.body != recorded.body {
      parts.append("body")
      details += bodyDifferences(asked.body, recorded.body)
    }
    return (parts, details, ignorable)
  }

  private static func bodyDifferences(_ asked: [UInt8]?, _ recorded: [UInt8]?) -> [String] {
    if let asked, let recorded, let new = try? JSONValue(parsing: asked), let old = try? JSONValue(parsing: recorded) {
      return JSONDifference.between(old, new).map { difference in
        let old = difference.expected.map { "- \(JSONDifference.shown($0))   " } ?? ""
        let new = difference.actual.map { "+ \(JSONDifference.shown($0))" } ?? "(left out)"
        return "body      \(difference.path)  \(old)\(new)"
      }
    }
    func shown(_ body: [UInt8]?) -> String {
      guard let body else { return "(none)" }
      return String(decoding: body.prefix(400), as: UTF8.self) + (body.count > 400 ? "…" : "")
    }
    return ["body      - \(shown(recorded))", "          + \(shown(asked))"]
  }

  private static func cut(_ text: String) -> String {
    let flat = text.replacing("\n", with: "\\n")
    return flat.count <= longestLine ? flat : "\(flat.prefix(longestLine))… (\(flat.count) characters)"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count) times" }

  private static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (1, let rest) where rest != 11: "\(number)st"
    case (2, let rest) where rest != 12: "\(number)nd"
    case (3, let rest) where rest != 13: "\(number)rd"
    default: "\(number)th"
    }
  }
}
