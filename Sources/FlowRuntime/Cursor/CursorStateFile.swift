internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// The format of the file with the data about the parents, or with a token that is too long for a stamp (`value`).
///
/// ```json
/// {"version":2,"identity":"customer:id","cursor":{"7":"2024-01-31"},"asked":{"7":"9f…"},"records":[["7",2,40]]}
/// ```
///
/// Version 1 was a JSON object with the cursor value of each parent, all of them strings. It can still be read.
enum CursorStateFile {
  static func bytes(of state: CursorState) -> [UInt8] {
    var object = JSONObject()
    object["version"] = .integer(StateVersion.cursors.number)
    if let identity = state.identity { object["identity"] = .string(identity) }
    if let source = state.source { object["source"] = .string(String(source, radix: 16)) }
    if let value = state.value { object["value"] = .string(value) }
    if !state.parents.isEmpty { object["cursor"] = texts(state.parents) }
    if !state.asked.isEmpty { object["asked"] = texts(state.asked) }
    if !state.records.isEmpty {
      object["records"] = .array(
        state.records.map { part in
          let facts: [JSONValue] = [.string(part.key), .integer(Int64(part.count)), .integer(Int64(part.bytes))]
          return .array(facts + (part.since.map { [.integer($0)] } ?? []))
        })
    }
    return JSONWriter.bytes(.object(object)) + [0x0A]
  }

  /// Reads the state from a file's bytes; nil for other content.
  ///
  /// - Parameter location: the file or table, for messages
  /// - Throws: for a later version of the format
  static func state(of bytes: [UInt8], at location: String) throws(ReactorError) -> CursorState? {
    guard case .object(let object)? = try? JSONValue(parsing: bytes) else { return nil }
    guard let version = object["version"]?.int64 else { return CursorState(parents: texts(.object(object))) }
    try StateVersion.cursors.check(version, at: location)
    guard version == StateVersion.cursors.number else { return nil }
    var state = CursorState(value: object["value"]?.string, parents: texts(object["cursor"]))
    state.identity = object["identity"]?.string
    state.source = object["source"]?.string.flatMap { UInt64($0, radix: 16) }
    state.asked = texts(object["asked"])
    for entry in object["records"]?.array ?? [] {
      guard let facts = entry.array, facts.count >= 3, let key = facts[0].string, let count = facts[1].int64,
        let bytes = facts[2].int64, count >= 0, bytes >= 0
      else { return nil }
      state.records.append(
        ParentRecords(
          key: key, count: Int(clamping: count), bytes: Int(clamping: bytes),
          since: facts.count > 3 ? facts[3].int64 : nil))
    }
    return state
  }

  private static func texts(_ texts: [String: String]) -> JSONValue {
    .object(
      JSONObject(texts.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
  }

  private static func texts(_ value: JSONValue?) -> [String: String] {
    guard case .object(let object)? = value else { return [:] }
    var texts: [String: String] = [:]
    for member in object.members { texts[member.name] = member.value.string }
    return texts
  }
}
