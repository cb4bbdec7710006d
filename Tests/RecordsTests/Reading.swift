import FieldTypes
import JSONSyntax
import ReactorCore
import Records

/// A schema in a few words: `id: integer`, `name: string?` (optional).
func schema(_ fields: [(String, FieldType)], from paths: [String: String] = [:]) throws -> RecordSchema {
  try RecordSchema(
    name: "test",
    fields: fields.map { name, type in
      let bare = name.hasSuffix("?") ? String(name.dropLast()) : name
      return FieldMapping(
        name: bare, from: try JSONPath(parsing: paths[bare] ?? "$.\(bare)"), type: type,
        missing: name.hasSuffix("?") ? .optional : .required)
    })
}

/// What a reading gave: the records in a format's text and the report, or the error.
struct Reading: Equatable {
  var text: String
  var report: PruneReport
  var envelope: String?
  var outline: JSONValue?

  /// Reads a text that arrives in the given pieces.
  init(
    _ pieces: [[UInt8]], _ schema: RecordSchema, at path: String? = nil, isStrict: Bool = false,
    format: RecordFormat = .jsonLines, needsEnvelope: Bool = false, limits: RecordLimits = RecordLimits()
  ) async throws(ReactorError) {
    let plan = MappingPlan(schema)
    let selection: RecordSelection
    do {
      selection = RecordSelection(try path.map { try JSONPath(parsing: $0) })
    } catch {
      throw ReactorError.parser("\(error)")
    }
    let out = RecordOutput(plan, format: format)
    var reader = RecordReader(plan: plan, selection: selection, isStrict: isStrict, limits: limits)
    reader.needsEnvelope = needsEnvelope
    reader.wantsOutline = true
    let outcome = try await reader.read(ResponseBody(Pieces(pieces))) { (batch) throws(ReactorError) in
      out.append(batch)
    }
    text = String(decoding: out.finish(), as: UTF8.self)
    report = outcome.report
    envelope = outcome.envelope.map { String(decoding: $0, as: UTF8.self) }
    outline = outcome.outline
  }

  init(
    _ text: String, _ schema: RecordSchema, at path: String? = nil, isStrict: Bool = false,
    format: RecordFormat = .jsonLines, needsEnvelope: Bool = false, limits: RecordLimits = RecordLimits()
  ) async throws(ReactorError) {
    try await self.init(
      [Array(text.utf8)], schema, at: path, isStrict: isStrict, format: format, needsEnvelope: needsEnvelope,
      limits: limits)
  }

  /// The lines of the text.
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// A body that arrives in given pieces.
actor Pieces: ByteSource {
  private var pieces: [[UInt8]]

  init(_ pieces: [[UInt8]]) { self.pieces = pieces.filter { !$0.isEmpty }.reversed() }

  func next() async throws(ReactorError) -> [UInt8]? { pieces.popLast() }

  nonisolated func cancel() {}
}
