internal import ByteCodings

/// Header fields in order; the comparison of names ignores case.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as it was given.
    public var name: String
    /// The value without white space at its start and end.
    public var value: String

    /// Builds a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All fields in order, including repeated names.
  public var fields: [Field]

  /// Builds headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Builds headers from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value of a name.
  ///
  /// Setting a value replaces all fields of that name. Setting nil removes all fields of that name.
  public subscript(_ name: String) -> String? {
    get {
      fields.first { Headers.matches($0.name, name) }?.value
    }
    set {
      let first = fields.firstIndex { Headers.matches($0.name, name) }
      fields.removeAll { Headers.matches($0.name, name) }
      if let newValue { fields.insert(Field(name, newValue), at: min(first ?? fields.count, fields.count)) }
    }
  }

  /// Returns all values of a name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Headers.matches($0.name, name) }.map(\.value)
  }

  /// Returns whether two names are equal when ASCII case is ignored.
  public static func matches(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && left.utf8.elementsEqual(right.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// Returns a name with its ASCII letters in lower case.
  static func lowercase(_ name: String) -> String { String(decoding: name.utf8.map(ASCII.lowercased), as: UTF8.self) }

  /// `[name: value, …]`; `[:]` when there are no fields.
  public var description: String {
    fields.isEmpty ? "[:]" : "[" + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
  }
}
