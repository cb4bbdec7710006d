/// The names of the types that a field of a record can have.
///
/// The raw values are the names in flow files. This is the only list of types. The language, its reference, the mapping
/// of records and the table in `docs/reference/types.md` take names, formats and descriptions from here.
public enum FieldTypeName: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case string, integer, number, decimal, boolean, timestamp, date, duration, uuid, url, bytes
  case enumeration = "enum"
  case list, object, json

  /// Finds the type that corresponds to a type name of another language, such as `varchar`.
  public init?(foreign word: String) {
    switch word.lowercased() {
    case "int", "int64", "int32", "long", "bigint", "whole": self = .integer
    case "float", "double", "real": self = .number
    case "str", "text", "varchar": self = .string
    case "bool": self = .boolean
    case "datetime", "time": self = .timestamp
    case "array": self = .list
    case "map", "dict", "struct", "record", "mapping": self = .object
    case "any": self = .json
    case "uri": self = .url
    case "base64", "binary", "blob": self = .bytes
    case "guid": self = .uuid
    default: return nil
    }
  }

  /// Whether the name alone is a complete type; `enum`, `list` and `object` require options.
  public var isComplete: Bool {
    switch self {
    case .enumeration, .list, .object: false
    default: true
    }
  }

  /// Whether a text has the format in which values of this type are persisted.
  ///
  /// True for types whose values have no format of their own.
  public func admits(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { admits($0) }
  }

  /// Whether UTF-8 bytes have the format in which values of this type are persisted.
  package func admits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .integer: TextForms.wholeNumber(text) != nil
    case .number, .decimal: TextForms.isNumber(text)
    case .boolean: text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
    case .date: TextForms.isDate(text)
    case .duration: TextForms.isDuration(text)
    case .uuid: TextForms.isUUID(text)
    case .url: TextForms.isAbsoluteURL(text)
    case .bytes: TextForms.isBase64(text)
    case .string, .timestamp, .enumeration, .list, .object, .json: true
    }
  }
}
