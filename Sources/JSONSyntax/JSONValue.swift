/// A JSON value without loss of information: booleans are not numbers, and numbers keep their original text.
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number as written.
  case number(JSONNumber)
  /// A string of Unicode scalars; never contains a lone surrogate.
  case string(String)
  /// An ordered list.
  case array([JSONValue])
  /// An object: ordered members with unique names.
  ///
  /// If a text repeats a name, the last value is used, at the index of the first.
  case object(JSONObject)
}

/// A number exactly as it is written in JSON.
public struct JSONNumber: Sendable, Hashable {
  /// The number's token, in JSON's number grammar (RFC 8259, section 6).
  public let text: String

  /// Creates a number from a token that is already known to match the grammar.
  public init(validated text: String) { self.text = text }

  /// Creates a number from an integer.
  public init(_ value: Int64) { self.text = String(value) }

  /// The value if it is exactly a 64-bit integer (`42`, `42.0` and `4.2e1` are); otherwise nil.
  public var int64: Int64? { NumberToken.exactInt64(text.utf8) }

  /// The nearest double; nil when the number is too large for a double.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

/// Ordered members with unique names; names are equal when their Unicode scalars are equal.
public struct JSONObject: Sendable, Hashable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Creates a member.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  public private(set) var members: [Member]

  /// Creates an object. If a name is repeated, the last value is used, at the index of the first.
  public init(_ members: [Member] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    if members.count <= 16 {
      for member in members { self[member.name] = member.value }
    } else {
      var indices: [ExactName: Int] = [:]
      for member in members {
        if let index = indices[ExactName(member.name)] {
          self.members[index].value = member.value
        } else {
          indices[ExactName(member.name)] = self.members.count
          self.members.append(member)
        }
      }
    }
  }

  /// Creates an object from members that are known to have different names.
  package init(distinct members: [Member]) { self.members = members }

  /// The value of a member; setting nil removes the member. Linear in the number of members.
  public subscript(_ name: String) -> JSONValue? {
    get { members.first { $0.name.hasSameScalars(as: name) }?.value }
    set {
      if let index = members.firstIndex(where: { $0.name.hasSameScalars(as: name) }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(name: name, value: newValue))
      }
    }
  }
}

/// A name that is compared by Unicode scalars.
///
/// Swift's `String` equality would merge `é` and `e` with a combining accent.
package struct ExactName: Hashable, Sendable {
  let name: String

  package init(_ name: String) { self.name = name }

  package static func == (left: ExactName, right: ExactName) -> Bool { left.name.hasSameScalars(as: right.name) }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension JSONValue {
  /// Creates an object from pairs, for use in source code.
  public static func object(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject(pairs.map { JSONObject.Member(name: $0.key, value: $0.value) }))
  }

  /// Creates an integer number.
  public static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

  /// The value of an object's member; nil when the member is missing or the value is not an object.
  public subscript(_ name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The text of a string; nil for other values.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The text of a string without quotes; any other value as JSON.
  package var plainText: String { string ?? String(decoding: JSONWriter.bytes(self), as: UTF8.self) }

  /// The elements of an array; nil for other values.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The exact 64-bit integer of a number; nil for other values. A boolean is not a number.
  public var int64: Int64? { if case .number(let number) = self { number.int64 } else { nil } }

  /// The boolean; nil for other values. A number is not a boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// Whether the value is an array or an object.
  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// The kind of the value: `null`, `boolean`, `number`, `string`, `array` or `object`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
