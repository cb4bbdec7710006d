/// A JSON value without loss: booleans are not numbers, and numbers keep the text they were written in.
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number as written.
  case number(JSONNumber)
  /// A string of Unicode scalars; never holds a lone surrogate.
  case string(String)
  /// An ordered list.
  case array([JSONValue])
  /// Ordered members with unique names; of repeated names in a text the last value counts, at the first one's index.
  case object(JSONObject)
}

/// A number exactly as JSON writes it.
public struct JSONNumber: Sendable, Hashable {
  /// The token, in JSON's number grammar (RFC 8259, section 6).
  public let text: String

  /// Takes a token that is already known to be in the grammar.
  public init(validated text: String) { self.text = text }

  /// Writes an integer.
  public init(_ value: Int64) { self.text = String(value) }

  /// The value when the token denotes a 64-bit integer exactly (`42`, `42.0` and `4.2e1` do), else nil.
  public var int64: Int64? { NumberToken.exactInt64(text.utf8) }

  /// The nearest double; nil when the magnitude is out of range.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

/// Ordered members with unique names; names are the same when their Unicode scalars are.
public struct JSONObject: Sendable, Hashable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Builds a member.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  public private(set) var members: [Member]

  /// Builds an object; of repeated names the last value counts, at the first one's index.
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

  /// Builds an object of members whose names are known to differ.
  package init(distinct members: [Member]) { self.members = members }

  /// The value under a name; setting nil removes it. Linear in the number of members.
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

/// A name that only equals one of the same scalars; Swift's own equality would merge `é` and `e` with an accent.
private struct ExactName: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: ExactName, right: ExactName) -> Bool { left.name.hasSameScalars(as: right.name) }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension JSONValue {
  /// An object from pairs, for writing one in code.
  public static func object(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject(pairs.map { JSONObject.Member(name: $0.key, value: $0.value) }))
  }

  /// An integer number.
  public static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

  /// The member of an object; nil for other kinds and for absent members.
  public subscript(_ name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The text of a string, else nil.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array, else nil.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The exact 64-bit integer of a number, else nil; a boolean is not a number.
  public var int64: Int64? { if case .number(let number) = self { number.int64 } else { nil } }

  /// The boolean, else nil; a number is not a boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// Whether it is an array or an object.
  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// What kind of value it is, in JSON's words: `null`, `boolean`, `number`, `string`, `array`, `object`.
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
