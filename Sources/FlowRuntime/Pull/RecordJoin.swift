internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// Joins the records of one page from the responses to several groups of fields.
///
/// The records are in the order in which their keys were first received. All records of the page are held in memory.
struct RecordJoin {
  private let fields: FieldGroups
  private let selection: RecordSelection
  private var records: [Record] = []
  /// The indices of the records, by the text of their key.
  private var indices: [[UInt8]: Int] = [:]
  /// The response that has the values beside the records; nil before the first response with a body.
  private var base: (group: Int, json: JSONValue)?
  /// Whether the path of the records may be missing in a response, for example after the final page.
  private let mayLackRecords: Bool
  /// The error of the first response without the path of the records; nil if all responses have the path.
  private var lack: ReactorError?

  private struct Record {
    var json: JSONValue
    let key: [UInt8]
    /// The first group whose response has the record, and the last such group so far.
    let firstGroup: Int
    var lastGroup: Int
    /// The index of the record in the response of `lastGroup`.
    var index: Int
  }

  /// - Parameter path: the path of the records, which leads to one list or one record
  /// - Parameter mayLackRecords: whether the path may be missing in every response
  init(_ fields: FieldGroups, at path: JSONPath?, mayLackRecords: Bool) {
    self.fields = fields
    self.mayLackRecords = mayLackRecords
    selection = RecordSelection(path)
  }

  /// Whether no response so far had a record.
  var isEmpty: Bool { records.isEmpty }

  /// The group whose response has the values beside the records, from 0; nil if no response has a body.
  var baseGroup: Int? { base?.group }

  /// Adds the response of a group; nil for one without a body. The groups are added in their order, from 0.
  ///
  /// - Throws: `.parser` if the response is not JSON or does not have the path of the records, if a record has no
  ///   unique key, or if a record is not in each response although `partial: keep` is not declared.
  mutating func add(_ body: [UInt8]?, of group: Int) throws(ReactorError) {
    if let body {
      let json: JSONValue
      do throws(JSONError) {
        json = try JSONValue(parsing: body)
      } catch {
        throw .notJSON(error, body)
      }
      if base == nil { base = (group, json) }
      for (index, record) in try received(in: json).enumerated() { try add(record, index, of: group) }
    }
    guard group > 0, !fields.keepsMissing, let lost = records.first(where: { $0.lastGroup != group }) else { return }
    throw missing(lost, in: group)
  }

  /// The body of the joined response; empty if no response has a body.
  func body() throws(ReactorError) -> [UInt8] {
    guard let base else { return [] }
    guard !records.isEmpty else { return JSONWriter.bytes(base.json) }
    // A missing list may mean the end of the pages, but not if another group's response has records.
    if let lack { throw lack }
    let steps = selection.steps[...]
    let isOne = records.count == 1 && !selection.isElements && base.json.value(at: steps)?.array == nil
    let all: JSONValue = isOne ? records[0].json : .array(records.map(\.json))
    guard let joined = base.json.replacing(steps, by: all) else {
      throw Self.problem(
        "the first response has no list to which the records of the other groups can be added",
        help: "remove 'partial: keep', or add to 'key' (part of each group) a field that all records have")
    }
    return JSONWriter.bytes(joined)
  }

  // MARK: - Records

  /// The records in a response.
  private mutating func received(in json: JSONValue) throws(ReactorError) -> [JSONValue] {
    let steps = selection.steps
    switch json.value(at: steps[...]) {
    case nil:
      let error = ReactorError.noRecords(
        at: JSONPath(singular: steps).text, steps, isElements: selection.isElements, in: json)
      guard mayLackRecords else { throw error }
      lack = lack ?? error
      return []
    case .null?: return []
    case .array(let elements)?: return elements
    case .object(let object)? where selection.isElements:
      if object.members.isEmpty { return [] }
      throw .parser("the members of an object cannot be joined as records; expected a list")
    case let value?:
      if selection.isElements { throw .notAnArray(value.kindName, at: steps) }
      return [value]
    }
  }

  private mutating func add(_ record: JSONValue, _ index: Int, of group: Int) throws(ReactorError) {
    guard case .object = record else {
      throw ReactorError(.parser, "expected an object as a record, found \(record.kindName)", recordIndex: index)
    }
    let key = try self.key(of: record, index)
    guard let known = indices[key] else {
      if group > 0, !fields.keepsMissing { throw unexpected(key, index, in: group) }
      indices[key] = records.count
      return records.append(Record(json: record, key: key, firstGroup: group, lastGroup: group, index: index))
    }
    guard records[known].lastGroup != group else {
      throw Self.problem(
        "records \(records[known].index) and \(index) have the same key: \(words(key))",
        help: "name the members that distinguish the records: 'by: [$.a, $.b]'")
    }
    records[known].json = records[known].json.joined(with: record)
    records[known].lastGroup = group
    records[known].index = index
  }

  /// The values of the key, as one JSON text in which members are sorted.
  private func key(of record: JSONValue, _ index: Int) throws(ReactorError) -> [UInt8] {
    var values: [JSONValue] = []
    for path in fields.key {
      guard let value = record.value(at: path[...]), value != .null else {
        throw Self.problem(
          "record \(index) has no \(JSONPath(singular: path).text), by which records are joined",
          help: "correct 'by', or add the name to 'key' if the server returns only the requested fields")
      }
      values.append(value.sortedByName)
    }
    return JSONWriter.bytes(.array(values))
  }

  // MARK: - Errors

  /// A key as text: `$.id is 7`.
  private func words(_ key: [UInt8]) -> String {
    let values = (try? JSONValue(parsing: key))?.array ?? []
    return zip(fields.key, values).map { path, value in
      "\(JSONPath(singular: path).text) is \(String(decoding: JSONWriter.bytes(value).prefix(200), as: UTF8.self))"
    }.joined(separator: ", ")
  }

  private func missing(_ record: Record, in group: Int) -> ReactorError {
    Self.problem(
      "the response has no record in which \(words(record.key)), but the response to group "
        + "\(record.firstGroup + 1) has one",
      help: Self.changed)
  }

  private func unexpected(_ key: [UInt8], _ index: Int, in group: Int) -> ReactorError {
    Self.problem(
      "record \(index), in which \(words(key)), is not in the response to group 1", help: Self.changed)
  }

  private static let changed =
    "run the flow again if the data changed between two requests; write 'partial: keep' if the server leaves out "
    + "records in which all fields of a group are empty"

  private static func problem(_ message: String, help: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.key = "field_groups"
    error.help = help
    return error
  }
}
