/// The type of an expression, as far as it is known before the evaluation.
public indirect enum ExpressionType: Sendable, Hashable {
  /// Any value, such as a JSON value of unknown type. Type errors appear during the evaluation.
  case dynamic
  /// The type of `null`.
  case null
  /// `true` or `false`.
  case bool
  /// A 64-bit integer.
  case int
  /// A double.
  case double
  /// Text.
  case string
  /// An instant.
  case timestamp
  /// A duration.
  case duration
  /// A list whose elements have one type.
  case list(ExpressionType)
  /// A map from texts to values of one type.
  case map(ExpressionType)
  /// An object with known members; the use of another member is an error.
  case object(Object)
  /// A value that may be absent or null; it needs a default before it can be used.
  case optional(ExpressionType)

  /// An object's members.
  public struct Object: Sendable, Hashable {
    /// The members in the order of their declaration.
    public var members: [Member]

    /// Creates a type from members; all names must be different.
    public init(_ members: [Member]) { self.members = members }

    func member(_ name: String) -> Member? { members.first { $0.name == name } }
  }

  /// A known member of an object type.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The type of its value.
    public var type: ExpressionType

    /// Creates a member; a member that may be absent has an `optional` type.
    public init(_ name: String, _ type: ExpressionType) {
      self.name = name
      self.type = type
    }
  }

  /// Creates an object type from pairs.
  public static func object(_ members: KeyValuePairs<String, ExpressionType>) -> ExpressionType {
    .object(Object(members.map { Member($0.key, $0.value) }))
  }

  /// Whether the value may be absent or null.
  public var mayBeMissing: Bool {
    switch self {
    case .optional, .null: true
    default: false
    }
  }

  /// The type of the value when it is present.
  public var unwrapped: ExpressionType { if case .optional(let type) = self { type.unwrapped } else { self } }

  /// Whether a value of this type can be converted to text.
  public var hasText: Bool {
    switch self {
    case .dynamic, .bool, .int, .double, .string, .timestamp, .duration: true
    case .null, .list, .map, .object, .optional: false
    }
  }
}

extension ExpressionType: CustomStringConvertible {
  /// The type as the reference shows it: `list(string)`, `string?`.
  public var description: String {
    switch self {
    case .dynamic: "anything"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(.dynamic): "list"
    case .list(let element): "list(\(element))"
    case .map(.dynamic): "map"
    case .map(let value): "map(\(value))"
    case .object: "object"
    case .optional(let type): "\(type)?"
    }
  }
}
