import FuzzSupport
import JSONSyntax
import ReactorCore
@testable import Records

/// A response: read whole and in two pieces it gives the same records or the same error, and never more than it holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let first = bytes.first else { return 0 }
  let answer = Array(bytes.dropFirst())
  let plan = Shared.plans[Int(first) % Shared.plans.count]
  let selection = Shared.selections[Int(first >> 3) % Shared.selections.count]
  let whole = read([answer], plan, selection, window: 256 << 10)
  let cut = answer.isEmpty ? 0 : Int(first) &* 131 % answer.count
  // Planted: an escape that is cut apart loses its backslash.
  let kept = Plant.isSet && cut > 0 && answer[cut - 1] == UInt8(ascii: "\\") ? cut - 1 : cut
  let pieces = read([Array(answer[..<kept]), Array(answer[cut...])], plan, selection, window: 1)
  require(whole == pieces, "pieces give something else:\n\(whole)\n\(pieces)")
  if let value = try? JSONValue(parsing: answer) {
    var writer = ByteBufferText()
    let again = writer.text(of: value)
    require((try? JSONValue(parsing: again)) != nil, "what was written cannot be read")
  }
  return 0
}

private func read(_ pieces: [[UInt8]], _ plan: MappingPlan, _ selection: RecordSelection, window: Int) -> String {
  var limits = RecordLimits()
  limits.windowBytes = window
  limits.heldBytes = 1 << 20
  let scanner = RecordScanner(plan: plan, selection: selection, isStrict: false, limits: limits)
  let output = RecordOutput(plan, format: .jsonLines)
  do throws(ReactorError) {
    for piece in pieces {
      try piece.withUnsafeBufferPointer { (bytes) throws(ReactorError) in
        try scanner.append(bytes) { (batch) throws(ReactorError) in output.append(batch) }
      }
    }
    try scanner.finish { (batch) throws(ReactorError) in output.append(batch) }
  } catch {
    return "error"
  }
  let text = String(decoding: output.finish(), as: UTF8.self)
  let outline = scanner.outline
  let told = outline.flatMap { NextPageHint(in: $0, records: selection.location, count: 1) }
  let around = outline.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) } ?? "none"
  return "\(scanner.report.kept) \(scanner.report.rejected)\n\(text)\n\(around)\n\(told?.remedy ?? "")"
}

extension RecordSelection {
  fileprivate var location: [JSONPath.Step] {
    switch self {
    case .at(let steps), .elements(let steps), .array(let steps): steps
    case .query, .lines: []
    }
  }
}

private struct ByteBufferText {
  mutating func text(of value: JSONValue) -> [UInt8] {
    let buffer = ByteBuffer(capacity: 64)
    buffer.append(json: value)
    return buffer.copy()
  }
}

private enum Shared {
  static let plans: [MappingPlan] = [
    MappingPlan(.wholeRecords),
    plan([("id", .integer), ("name", .string), ("n", .number), ("d", .decimal), ("b", .boolean), ("j", .json)]),
    plan([("at", .timestamp(.iso8601)), ("day", .date), ("t", .duration), ("u", .uuid), ("l", .url), ("x", .bytes)]),
    plan([("e", .enumeration(["a", "b"])), ("k", .list(.integer)), ("z", .list(.list(.string)))]),
  ]
  static let selections: [RecordSelection] = ["$", "$[*]", "$.data", "$.data[*]", "$.a.b[1].c[*]", "$.d[0]"].map {
    RecordSelection(try? JSONPath(parsing: $0))
  }

  private static func plan(_ fields: [(String, FieldType)]) -> MappingPlan {
    let mappings = fields.enumerated().compactMap { index, field in
      (try? JSONPath(parsing: "$.\(field.0)")).map {
        FieldMapping(name: field.0, from: $0, type: field.1, missing: index == 0 ? .required : .optional)
      }
    }
    return MappingPlan(RecordSchema(name: "fuzz", fields: mappings))
  }
}
