/// A field's type with all that it is made of.
///
/// `Field` is a field of an object: as a file declares it, or as records are mapped by it. Conversions lose nothing or are
/// an error; the table is `docs/reference/types.md`.
public indirect enum DeclaredType<Field> {
  /// A type that its name alone describes.
  case plain(FieldTypeName)
  /// An instant, persisted as RFC 3339 in UTC.
  case timestamp(TimestampFormat)
  /// One of the listed texts.
  case enumeration([String])
  /// A list of one type; elements may not be null.
  case list(DeclaredType)
  /// An object with fields of its own.
  case object([Field])

  /// A type without options; nil for a name that needs some.
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

  /// The type's word in the language.
  public var name: String { typeName.rawValue }

  /// The same type with other fields in its objects.
  public func map<Other>(_ transform: (Field) -> Other) -> DeclaredType<Other> {
    switch self {
    case .plain(let name): .plain(name)
    case .timestamp(let format): .timestamp(format)
    case .enumeration(let texts): .enumeration(texts)
    case .list(let element): .list(element.map(transform))
    case .object(let fields): .object(fields.map(transform))
    }
  }

  /// Whether some persisted value of another type can be read as one of this type.
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

/// The types that their names alone describe, for schemas in Swift.
extension DeclaredType {
  /// Text.
  public static var string: Self { .plain(.string) }
  /// A 64-bit integer.
  public static var integer: Self { .plain(.integer) }
  /// A number within double's range, with its digits.
  public static var number: Self { .plain(.number) }
  /// An exact decimal, persisted as text.
  public static var decimal: Self { .plain(.decimal) }
  /// True or false.
  public static var boolean: Self { .plain(.boolean) }
  /// A day of the calendar.
  public static var date: Self { .plain(.date) }
  /// A length of time.
  public static var duration: Self { .plain(.duration) }
  /// A UUID, persisted in lower case.
  public static var uuid: Self { .plain(.uuid) }
  /// An absolute URL.
  public static var url: Self { .plain(.url) }
  /// Base64 with padding.
  public static var bytes: Self { .plain(.bytes) }
  /// Any JSON value; null is one.
  public static var json: Self { .plain(.json) }
}

extension FieldTypeName {
  /// Whether some persisted value of a scalar type can be read as one of this scalar type.
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
