internal import JSONSyntax
public import ReactorCore

extension Record {
  /// Decodes the record as a `Decodable` type; the coding keys are the field names.
  ///
  /// A number must be exactly representable. Fields of types such as `timestamp` and `decimal` are texts.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(MappedError) -> Value {
    do {
      return try FieldDecoder(value: json, codingPath: []).decode(type)
    } catch let error as MappedError {
      throw error
    } catch let error as DecodingError {
      throw MappedError(error)
    } catch {
      throw MappedError("\(error)")
    }
  }
}

/// Decodes one value of a record.
private struct FieldDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch("an object", as: [String: JSONValue].self) }
    return KeyedDecodingContainer(FieldsDecoder(object: object, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("a list", as: [JSONValue].self) }
    return ElementsDecoder(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (found, expected): (Any?, String) =
      switch type {
      case is String.Type: (value.string, "a string")
      case is Bool.Type: (value.bool, "a boolean")
      case is Double.Type: (double, "a number")
      case is Float.Type: (double.map { Float($0) }, "a number")
      case let integer as any FixedWidthInteger.Type: (self.integer(integer), "an integer in the range of \(type)")
      default: (try Value(from: self), "")
      }
    guard let found = found as? Value else { throw mismatch(expected, as: type) }
    return found
  }

  private var double: Double? { if case .number(let number) = value { number.double } else { nil } }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    guard case .number(let number) = value else { return nil }
    return number.int64.map { Value(exactly: $0) } ?? Value(number.text)
  }

  private func mismatch(_ expected: String, as type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "expected \(expected), found \(value.kindName)"))
  }
}

/// Decodes the fields of a record, or the members of an object in it.
private struct FieldsDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let codingPath: [any CodingKey]
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { FieldDecoder(value: .object(object), codingPath: codingPath) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: any CodingKey) throws -> FieldDecoder {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath + [key], debugDescription: "the record has no field '\(key.stringValue)'"))
    }
    return FieldDecoder(value: value, codingPath: codingPath + [key])
  }
}

/// Decodes the elements of a list.
private struct ElementsDecoder: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = try decoder().decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> FieldDecoder {
    let decoder = try decoder()
    currentIndex += 1
    return decoder
  }

  private func decoder() throws -> FieldDecoder {
    let path = codingPath + [ElementKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        .init(codingPath: path, debugDescription: "there is no element \(currentIndex) in a list of \(elements.count)"))
    }
    return FieldDecoder(value: elements[currentIndex], codingPath: path)
  }
}

/// The index of an element as a coding key.
private struct ElementKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { String(index) }

  init(_ index: Int) { self.index = index }
  init(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
}

extension MappedError {
  fileprivate init(_ error: DecodingError) {
    let context =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
      }
    self.init(
      context.debugDescription,
      pointer: RejectionText.pointer(
        context.codingPath.map { key in key.intValue.map { .index($0) } ?? .name(key.stringValue) }))
  }
}
