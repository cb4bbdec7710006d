package import JSONSyntax

/// Finds the response that a record came from: compares the record's values with the objects of the responses.
///
/// No response says which of its objects became which record. Names change in the mapping; most values do not.
package struct RecordOrigins: Sendable {
  /// A response that a replay used.
  package struct Source: Sendable {
    /// Number of its recording, from 1.
    package var number: Int
    /// The request's URL, scrubbed. It may hold what the response does not, such as the parent's key.
    package var url: String
    /// JSON or JSON Lines; anything else has no objects.
    package var body: [UInt8]

    /// Builds a source.
    package init(number: Int, url: String, body: [UInt8]) {
      self.number = number
      self.url = url
      self.body = body
    }
  }

  private struct Candidate: Sendable {
    var number: Int
    var texts: Set<String>
    var address: Set<String>
  }

  /// Bytes of all responses together. Beyond that no origin is named: a search of a part of them could name a wrong one.
  private static let searchLimit = 4 << 20
  /// A value that stands in more objects than this says little about any of them.
  private static let common = 1000

  private var candidates: [Candidate] = []
  private var positions: [String: [Int]] = [:]

  /// Reads the responses.
  package init(_ sources: [Source]) {
    guard sources.reduce(0, { $0 + $1.body.count }) <= Self.searchLimit else { return }
    for source in sources {
      let address = Set(source.url.split { "/?&=".contains($0) }.map(String.init))
      for value in Self.values(source.body) { _ = collect(value, source.number, address) }
    }
  }

  /// The number of the recording whose response holds the record's key and most of its values; nil when none does.
  ///
  /// - Parameter key: names of the fields that identify a record; may be empty
  package func entry(of record: JSONValue, key: [String]) -> Int? {
    let texts = Self.texts(of: record)
    let keys = key.compactMap { record[$0] }.reduce(into: Set<String>()) { $0.formUnion(Self.texts(of: $1)) }
    let ranks = found(texts).compactMap { index -> (Int, Int, Int, Int, number: Int)? in
      let candidate = candidates[index]
      let inObject = texts.intersection(candidate.texts)
      let matched = inObject.union(texts.intersection(candidate.address))
      let hasKey = keys.isSubset(of: matched)
      guard hasKey && !keys.isEmpty || 2 * matched.count >= texts.count else { return nil }
      // Of objects in one another the innermost; of equal ones the first response.
      return (hasKey ? 0 : 1, -matched.count, candidate.texts.count, -inObject.count, candidate.number)
    }
    return ranks.min { $0 < $1 }?.number
  }

  /// The objects that hold one of some values.
  private func found(_ texts: Set<String>) -> Set<Int> {
    let lists = texts.compactMap { positions[$0] }
    let telling = lists.filter { $0.count <= Self.common }
    guard telling.isEmpty else { return telling.reduce(into: []) { $0.formUnion($1) } }
    return Set(lists.min { $0.count < $1.count } ?? [])
  }

  private mutating func collect(_ value: JSONValue, _ number: Int, _ address: Set<String>) -> Set<String> {
    var texts: Set<String> = []
    switch value {
    case .object(let object):
      for member in object.members { texts.formUnion(collect(member.value, number, address)) }
      for text in texts { positions[text, default: []].append(candidates.count) }
      candidates.append(Candidate(number: number, texts: texts, address: address))
    case .array(let elements):
      for element in elements { texts.formUnion(collect(element, number, address)) }
    default: texts = Self.texts(of: value)
    }
    return texts
  }

  /// The scalars in a value as text: `7` and `"7"` are the same, for a mapping converts one into the other.
  private static func texts(of value: JSONValue) -> Set<String> {
    switch value {
    case .null: []
    case .string(let text): text.isEmpty ? [] : [text]
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(texts(of: $1)) }
    case .object(let object): object.members.reduce(into: []) { $0.formUnion(texts(of: $1.value)) }
    default: [String(decoding: JSONWriter.bytes(value), as: UTF8.self)]
    }
  }

  private static func values(_ body: [UInt8]) -> [JSONValue] {
    if let value = try? JSONValue(parsing: body) { return [value] }
    return (try? GoldenRecords.values(parsing: body, path: "")) ?? []
  }
}
