package import JSONSyntax
internal import ReactorCore
package import Storage

/// Infers the fields of records, one record after the other, so that the memory does not grow with their number.
package struct InferredFields: Sendable {
  private var names: [String] = []
  private var members: [String: ValueTally] = [:]
  /// The number of records.
  package private(set) var count = 0

  /// Creates an inference from no records yet; `take` adds them.
  package init() {}

  /// Adds a record to the sample; a value that is not an object is ignored.
  package mutating func take(_ record: JSONValue) {
    guard case .object(let object) = record else { return }
    count += 1
    for member in object.members {
      if members[member.name] == nil { names.append(member.name) }
      members[member.name, default: ValueTally()].take(member.value)
    }
  }

  /// Adds the value of a member of each line of a JSON Lines file, which is read piece by piece.
  package mutating func take(_ member: String, ofLinesIn path: String) throws(WholeFile.AccessError) {
    guard var pieces = try FilePieces(path) else { return }
    var rest: [UInt8] = []
    while let piece = try pieces.next() {
      rest += piece
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      for line in rest[..<end].split(separator: UInt8(ascii: "\n")) {
        if let record = (try? JSONValue(parsing: Array(line)))?[member] { take(record) }
      }
      rest.removeSubrange(...end)
    }
  }

  /// The fields in the order of their first appearance.
  package var fields: [InferredField] {
    names.map { name in
      let tally = members[name] ?? ValueTally()
      let (type, guess) = tally.type(name)
      return InferredField(name: name, type: type, isOptional: tally.present < count, guess: guess)
    }
  }
}

/// The types and formats to which all values of a member belong, and their number.
private struct ValueTally: Sendable {
  /// The number of values that are not null.
  private(set) var present = 0
  private var kinds: Set<String> = []
  private var areIntegers = true
  private var numbers: ClosedRange<Int64>?
  /// The kinds of text to which every text so far belongs.
  private var texts: Set<TextKind> = Set(TextKind.allCases)
  /// What is common to the elements of lists; empty before the first list.
  private var elements: [ValueTally] = []

  private enum TextKind: CaseIterable {
    case uuid, date, timestamp, url

    func admits(_ text: String) -> Bool {
      switch self {
      case .uuid: ValueMask.Kind.uuid.admits(.string(text))
      case .date: ValueMask.Kind.date.admits(.string(text))
      case .timestamp:
        ValueMask.Kind.timestamp.admits(.string(text))
          && (text.hasSuffix("Z") || text.dropFirst(10).contains { $0 == "+" || $0 == "-" })
      case .url: text.hasPrefix("https://") || text.hasPrefix("http://")
      }
    }
  }

  mutating func take(_ value: JSONValue) {
    guard value != .null else { return }
    present += 1
    kinds.insert(value.kindName)
    switch value {
    case .number(let number): take(number)
    case .string(let text): texts = texts.filter { $0.admits(text) }
    case .array(let list):
      if elements.isEmpty { elements = [ValueTally()] }
      for element in list { elements[0].take(element) }
    case .null, .bool, .object: break
    }
  }

  private mutating func take(_ number: JSONNumber) {
    let isWritten = !number.text.utf8.contains {
      [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0)
    }
    guard isWritten, let integer = number.int64 else {
      areIntegers = false
      return
    }
    numbers = numbers.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
  }

  /// The type in the notation of the flow language, and the reason if it is a guess.
  func type(_ name: String) -> (type: String, guess: String?) {
    guard let kind = kinds.first else { return ("json", "it is null in every record of the sample") }
    guard kinds.count == 1 else { return ("json", "it is \(kinds.sorted().joined(separator: " or ")) in the sample") }
    switch kind {
    case JSONValue.bool(true).kindName: return ("boolean", nil)
    case JSONValue.string("").kindName: return textType
    case JSONValue.array([]).kindName: return listType(name)
    case JSONValue.object(JSONObject([])).kindName: return ("json", "an object; 'type: object' can name its fields")
    default: return numberType(name)
    }
  }

  private func numberType(_ name: String) -> (String, String?) {
    // Such numbers are often money or measurements: a double could lose digits.
    guard areIntegers else { return ("decimal", "numbers with a fraction; 'number' would read them as doubles") }
    guard Self.looksLikeTime(name), let numbers else { return ("integer", nil) }
    if (1_000_000_000...4_000_000_000).contains(numbers) {
      return ("{ type: timestamp, format: epoch_s }", "by its name and size: seconds since 1970")
    }
    if (1_000_000_000_000...4_000_000_000_000).contains(numbers) {
      return ("{ type: timestamp, format: epoch_ms }", "by its name and size: milliseconds since 1970")
    }
    return ("integer", nil)
  }

  private var textType: (String, String?) {
    if texts.contains(.uuid) { return ("uuid", nil) }
    if texts.contains(.date) { return ("date", "all texts of the sample are dates") }
    if texts.contains(.timestamp) { return ("timestamp", "all texts of the sample are ISO 8601 times with a zone") }
    return texts.contains(.url) ? ("url", nil) : ("string", nil)
  }

  private func listType(_ name: String) -> (String, String?) {
    let element = elements.first.flatMap { $0.present > 0 ? $0.type(name).type : nil } ?? "json"
    if element.hasPrefix("{") || element == "json" {
      return ("json", "a list; '[TYPE]' gives the type of its elements")
    }
    return ("[\(element)]", nil)
  }

  private static func looksLikeTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["_at", "time", "date", "created", "updated", "timestamp", "_on"].contains { name.contains($0) }
  }
}
