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

  /// The type's word in the language.
  public var name: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .duration: "duration"
    case .uuid: "uuid"
    case .url: "url"
    case .bytes: "bytes"
    case .json: "json"
    case .timestamp: "timestamp"
    case .enumeration: "enum"
    case .list: "list"
    case .object: "object"
    }
  }
}
