package import JSONSyntax

/// Finds the response from which a record comes: compares the record's values with the objects of the responses.
///
/// A response does not say which of its objects became which record. The mapping changes names, but most values
/// stay the same.
package struct RecordOrigins: Sendable {
  /// A response that a replay used.
  package struct Source: Sendable {
    /// The number of the recording, from 1.
    package var number: Int
    /// The request's URL with secrets replaced. It may contain values that are missing in the response, such as
    /// the parent's key.
    package var url: String
    /// The body, JSON or JSON Lines; any other body contains no objects.
    package var body: FixtureContent

    /// Creates the description of a response.
    package init(number: Int, url: String, body: FixtureContent) {
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

  /// The maximum size of all responses together in bytes.
  ///
  /// For larger responses no origin is returned, because a search in a part of them could return a wrong origin.
  private static let searchLimit = 4 << 20
  /// A value that occurs in more objects than this is not used to find an object, unless all values are as frequent.
  private static let common = 1000

  private var candidates: [Candidate] = []
  private var positions: [String: [Int]] = [:]

  /// Indexes the objects of the responses.
  package init(_ sources: [Source]) {
    guard sources.reduce(0, { $0 + $1.body.count }) <= Self.searchLimit else { return }
    for source in sources {
      let address = Set(source.url.split { "/?&=".contains($0) }.map(String.init))
      for value in Self.values(source.body) { _ = collect(value, source.number, address) }
    }
  }

  /// Returns the number of the recording whose response has the record's key, or at least half of its values.
  ///
  /// Values in the request's URL count too. The best match is returned; nil when no response matches.
  ///
  /// - Parameter key: the names of the fields that identify a record; may be empty
  package func entry(of record: JSONValue, key: [String]) -> Int? {
    let texts = Self.texts(of: record)
    let keys = key.compactMap { record[$0] }.reduce(into: Set<String>()) { $0.formUnion(Self.texts(of: $1)) }
    let ranks = found(texts).compactMap { index -> (Int, Int, Int, Int, number: Int)? in
      let candidate = candidates[index]
      let inObject = texts.intersection(candidate.texts)
      let matched = inObject.union(texts.intersection(candidate.address))
      let hasKey = keys.isSubset(of: matched)
      guard hasKey && !keys.isEmpty || 2 * matched.count >= texts.count else { return nil }
      // Of nested objects the innermost object is chosen; of equal objects the object of the first response.
      return (hasKey ? 0 : 1, -matched.count, candidate.texts.count, -inObject.count, candidate.number)
    }
    return ranks.min { $0 < $1 }?.number
  }

  /// Returns the indices of the objects that contain at least one of the values.
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

  /// Returns the scalars in a value as texts.
  ///
  /// `7` and `"7"` are equal, because a mapping may convert one into the other.
  private static func texts(of value: JSONValue) -> Set<String> {
    switch value {
    case .null: []
    case .string(let text): text.isEmpty ? [] : [text]
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(texts(of: $1)) }
    case .object(let object): object.members.reduce(into: []) { $0.formUnion(texts(of: $1.value)) }
    default: [String(decoding: JSONWriter.bytes(value), as: UTF8.self)]
    }
  }

  private static func values(_ content: FixtureContent) -> [JSONValue] {
    guard let body = try? content.bytes else { return [] }
    if let value = try? JSONValue(parsing: body) { return [value] }
    return (try? GoldenRecords.values(parsing: body, path: "")) ?? []
  }
}
