public import JSONSyntax

extension Diagnostic {
  /// The diagnostic for programs, as in `--format json`.
  ///
  /// The members are in this order:
  /// - `severity`, `code`, `message`
  /// - if there is a range: `file`, `line`, `column`, `end_line`, `end_column` (from 1, columns in Unicode scalars),
  ///   `offset`, `end_offset` (UTF-8 bytes, from 0)
  /// - if there is a help text: `help`
  /// - `notes`: a list, each note with `message` and an optional location
  /// - `fixes`: a list, each fix-it with `message`, a location and `replacement`
  public var json: JSONValue {
    var members: [JSONObject.Member] = [
      .init(name: "severity", value: .string(severity.rawValue)), .init(name: "code", value: .string(code.rawValue)),
      .init(name: "message", value: .string(message)),
    ]
    members += Self.location(range)
    if let help { members.append(.init(name: "help", value: .string(help))) }
    members.append(.init(name: "notes", value: .array(notes.map { Self.part($0.message, at: $0.range) })))
    members.append(
      .init(name: "fixes", value: .array(fixIts.map { Self.part($0.message, at: $0.range, $0.replacement) })))
    return .object(JSONObject(distinct: members))
  }

  private static func part(_ message: String, at range: SourceRange?, _ replacement: String? = nil) -> JSONValue {
    var members = [JSONObject.Member(name: "message", value: .string(message))] + location(range)
    if let replacement { members.append(.init(name: "replacement", value: .string(replacement))) }
    return .object(JSONObject(distinct: members))
  }

  private static func location(_ range: SourceRange?) -> [JSONObject.Member] {
    guard let range else { return [] }
    let numbers = [
      ("line", range.start.line), ("column", range.start.column), ("end_line", range.end.line),
      ("end_column", range.end.column), ("offset", range.start.offset), ("end_offset", range.end.offset),
    ]
    return [.init(name: "file", value: .string(range.file.path))]
      + numbers.map { .init(name: $0.0, value: .integer(Int64($0.1))) }
  }
}
