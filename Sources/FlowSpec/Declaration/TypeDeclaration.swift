public import FieldTypes

/// A field's type.
public indirect enum TypeDeclaration: Sendable {
  case string, integer, number, decimal, boolean, date, duration, uuid, url, bytes, json
  /// With the input format: nil for ISO 8601, else `epoch_s`, `epoch_ms` or a strptime pattern.
  case timestamp(format: Located<String>?)
  /// One of the listed texts.
  case enumeration([String])
  /// A list of one type.
  case list(TypeDeclaration)
  /// An object with its own fields.
  case object([FieldDeclaration])

  /// A type without options; nil for a name that needs some.
  init?(_ name: FieldTypeName) {
    switch name {
    case .string: self = .string
    case .integer: self = .integer
    case .number: self = .number
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .timestamp: self = .timestamp(format: nil)
    case .date: self = .date
    case .duration: self = .duration
    case .uuid: self = .uuid
    case .url: self = .url
    case .bytes: self = .bytes
    case .json: self = .json
    case .enumeration, .list, .object: return nil
    }
  }

  /// The type's name, without its options.
  public var typeName: FieldTypeName {
    switch self {
    case .string: .string
    case .integer: .integer
    case .number: .number
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .duration: .duration
    case .uuid: .uuid
    case .url: .url
    case .bytes: .bytes
    case .json: .json
    case .timestamp: .timestamp
    case .enumeration: .enumeration
    case .list: .list
    case .object: .object
    }
  }

  /// The type's word in the language.
  public var name: String { typeName.rawValue }
}
