/// Header fields in order; names compare without case.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// All fields in order, repeats included.
  public var fields: [Field]

  /// Builds headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Builds headers from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value under a name; setting replaces all of that name, setting nil removes them.
  public subscript(_ name: String) -> String? {
    get {
      // By place: a field need not be taken out to look at its name.
      let place = fields.indices.first { Headers.matches(fields[$0].name, name) }
      return place.map { fields[$0].value }
    }
    set {
      let first = fields.firstIndex { Headers.matches($0.name, name) }
      fields.removeAll { Headers.matches($0.name, name) }
      if let newValue { fields.insert(Field(name, newValue), at: min(first ?? fields.count, fields.count)) }
    }
  }

  /// All values under a name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Headers.matches($0.name, name) }.map(\.value)
  }

  /// Whether two names are equal without ASCII case.
  public static func matches(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let inMemory = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { matches(left, $0) }
    }
    return (inMemory ?? nil) ?? matches(left.utf8, right.utf8)
  }

  private static func matches(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
    left.elementsEqual(right) { lowercase($0) == lowercase($1) }
  }

  /// A name with its ASCII letters in lower case.
  static func lowercase(_ name: String) -> String {
    String(decoding: name.utf8.map { lowercase($0) }, as: UTF8.self)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// `[name: value, …]`, `[:]` when empty.
  public var description: String {
    fields.isEmpty ? "[:]" : "[" + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
  }
}
