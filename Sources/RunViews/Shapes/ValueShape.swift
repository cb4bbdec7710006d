internal import JSONSyntax

/// Writes values of one type as JSON, reads them, and describes them by a schema.
struct ValueShape<Value>: Sendable {
  /// The members of the JSON Schema (draft 7).
  let schema: JSONObject
  /// Writes a value; `isTimed` is true when times are written.
  let write: @Sendable (Value, _ isTimed: Bool) -> JSONValue
  /// Reads a value; nil for JSON that the schema does not allow.
  let read: @Sendable (JSONValue) throws(ReportError) -> Value?

  init(
    _ schema: JSONObject, write: @escaping @Sendable (Value, _ isTimed: Bool) -> JSONValue,
    read: @escaping @Sendable (JSONValue) throws(ReportError) -> Value?
  ) {
    self.schema = schema
    self.write = write
    self.read = read
  }

  init(
    _ schema: KeyValuePairs<String, JSONValue>, write: @escaping @Sendable (Value, _ isTimed: Bool) -> JSONValue,
    read: @escaping @Sendable (JSONValue) throws(ReportError) -> Value?
  ) {
    self.init(JSONObject(schema.map { .init(name: $0.key, value: $0.value) }), write: write, read: read)
  }
}

extension ValueShape where Value == String {
  static var text: Self {
    .init(["type": .string("string")], write: { value, _ in .string(value) }, read: { $0.string })
  }

  /// A string from a list of words.
  ///
  /// Any word is accepted on reading, because a report of a later version may have further words.
  static func words(_ words: [String]) -> Self {
    .init(
      ["enum": .array(words.map { .string($0) })], write: { value, _ in .string(value) },
      read: { $0.string })
  }
}

extension ValueShape where Value == Bool {
  static var flag: Self { .init(["type": .string("boolean")], write: { value, _ in .bool(value) }, read: { $0.bool }) }
}

extension ValueShape where Value: FixedWidthInteger & Sendable {
  /// An integer of at least `minimum`.
  static func integer(from minimum: Int64) -> Self {
    .init(
      ["type": .string("integer"), "minimum": .integer(minimum)],
      write: { value, _ in .integer(Int64(clamping: value)) }
    ) {
      $0.int64.flatMap { $0 >= minimum ? Value(exactly: $0) : nil }
    }
  }

  /// A number of items, from 0.
  static var count: Self { integer(from: 0) }

  /// The number of a line, a column or an attempt, from 1.
  static var ordinal: Self { integer(from: 1) }

  static var integer: Self {
    .init(
      ["type": .string("integer")], write: { value, _ in .integer(Int64(clamping: value)) },
      read: { $0.int64.map { Value(clamping: $0) } })
  }
}

extension ValueShape where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// The raw value of one of the enumeration's cases.
  static var word: Self {
    .init(
      ["enum": .array(Value.allCases.map { .string($0.rawValue) })], write: { value, _ in .string(value.rawValue) },
      read: { $0.string.flatMap(Value.init(rawValue:)) })
  }
}

extension ValueShape {
  /// The value, or `null`.
  static func orNull<Wrapped>(_ shape: ValueShape<Wrapped>) -> Self where Value == Wrapped? {
    let schema: KeyValuePairs<String, JSONValue> =
      if case .array(let words)? = shape.schema["enum"] {
        ["enum": .array(words + [.null])]
      } else if let type = shape.schema["type"], shape.schema.members.count == 1 {
        ["type": .array([type, .string("null")])]
      } else {
        ["oneOf": .array([.object(shape.schema), .object(["type": .string("null")])])]
      }
    return .init(schema, write: { value, isTimed in value.map { shape.write($0, isTimed) } ?? .null }) {
      (json) throws(ReportError) in
      if json == .null { return .some(.none) }
      return try shape.read(json).map { .some($0) }
    }
  }

  static func list<Element>(_ shape: ValueShape<Element>, maximum: Int64? = nil) -> Self where Value == [Element] {
    var schema = JSONObject([.init(name: "type", value: .string("array"))])
    if let maximum { schema["maxItems"] = .integer(maximum) }
    schema["items"] = .object(shape.schema)
    return .init(schema, write: { values, isTimed in .array(values.map { shape.write($0, isTimed) }) }) {
      (json) throws(ReportError) in
      guard let elements = json.array else { return nil }
      var values: [Element] = []
      for element in elements {
        guard let value = try shape.read(element) else { return nil }
        values.append(value)
      }
      return values
    }
  }

  /// An object; its schema is in the document's definitions.
  static func object(_ shape: ObjectShape<Value>) -> Self where Value: Sendable {
    .init(
      ["$ref": .string("#/definitions/\(shape.name)")], write: { value, isTimed in shape.json(value, isTimed: isTimed) }
    ) { (json) throws(ReportError) in try shape.read(json) }
  }
}
