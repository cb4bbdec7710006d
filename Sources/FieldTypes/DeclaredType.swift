/// A field's type, including its options, elements and inner fields.
///
/// `Field` is the type of an object's field: either the field as a file declares it, or the field that maps records. A
/// conversion that would lose information is an error; `docs/reference/types.md` has the table of conversions.
public indirect enum DeclaredType<Field> {
  /// A type without options, described by its name alone.
  case plain(FieldTypeName)
  /// An instant, persisted as RFC 3339 in UTC.
  case timestamp(TimestampFormat)
  /// A text that equals one of the listed texts.
  case enumeration([String])
  /// A list whose elements all have one type and are not null.
  case list(DeclaredType)
  /// An object with its own fields.
  case object([Field])

  /// Creates a type without options; nil if the name requires options.
  public init?(_ name: FieldTypeName) {
    guard name.isComplete else { return nil }
    self = name == .timestamp ? .timestamp(.iso8601) : .plain(name)
  }

  /// The type's name, without its options.
  public var typeName: FieldTypeName {
    switch self {
    case .plain(let name): name
    case .timestamp: .timestamp
    case .enumeration: .enumeration
    case .list: .list
    case .object: .object
    }
  }

  /// The name of the type as flow files write it.
  public var name: String { typeName.rawValue }

  /// Converts the fields of an object type, also inside lists.
  public func map<Other>(_ transform: (Field) -> Other) -> DeclaredType<Other> {
    switch self {
    case .plain(let name): .plain(name)
    case .timestamp(let format): .timestamp(format)
    case .enumeration(let texts): .enumeration(texts)
    case .list(let element): .list(element.map(transform))
    case .object(let fields): .object(fields.map(transform))
    }
  }

  /// Whether at least some persisted values of another type can be read as this type.
  public func canRead(_ persisted: DeclaredType) -> Bool {
    switch (self, persisted) {
    case (.plain(.json), _), (_, .plain(.json)), (.object, .object): true
    case (.list(let element), .list(let other)): element.canRead(other)
    case (.list, _), (_, .list), (.object, _), (_, .object): false
    default: typeName.canRead(persisted.typeName)
    }
  }
}

extension DeclaredType: Sendable where Field: Sendable {}
extension DeclaredType: Equatable where Field: Equatable {}
extension DeclaredType: Hashable where Field: Hashable {}

/// Shorthands for the types without options, for schemas written in Swift.
extension DeclaredType {
  /// Text.
  public static var string: Self { .plain(.string) }
  /// A 64-bit integer.
  public static var integer: Self { .plain(.integer) }
  /// A number within the range of a double; all its digits are persisted.
  public static var number: Self { .plain(.number) }
  /// An exact decimal, persisted as text.
  public static var decimal: Self { .plain(.decimal) }
  /// True or false.
  public static var boolean: Self { .plain(.boolean) }
  /// A calendar date without a time.
  public static var date: Self { .plain(.date) }
  /// A length of time.
  public static var duration: Self { .plain(.duration) }
  /// A UUID, persisted in lower case.
  public static var uuid: Self { .plain(.uuid) }
  /// An absolute URL.
  public static var url: Self { .plain(.url) }
  /// Base64 with padding.
  public static var bytes: Self { .plain(.bytes) }
  /// Any JSON value, including null.
  public static var json: Self { .plain(.json) }
}

extension FieldTypeName {
  /// Whether at least some persisted values of another scalar type can be read as this one.
  fileprivate func canRead(_ persisted: FieldTypeName) -> Bool {
    let isNumber = persisted == .integer || persisted == .number
    let isText = !isNumber && persisted != .boolean
    return switch self {
    case .boolean: isText || persisted == .boolean
    case .integer, .number, .decimal, .timestamp: isText || isNumber
    default: isText
    }
  }
}
