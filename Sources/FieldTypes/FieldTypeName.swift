/// The types that a field of a record may have, by their words in the language.
///
/// This is the only list of them. The language, its reference, the mapping of records and the table in
/// `docs/reference/types.md` read names, forms and words from here.
public enum FieldTypeName: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case string, integer, number, decimal, boolean, timestamp, date, duration, uuid, url, bytes
  case enumeration = "enum"
  case list, object, json

  /// The type that a word of another language means.
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

  /// Whether the word alone is a type; the others need options.
  public var isComplete: Bool {
    switch self {
    case .enumeration, .list, .object: false
    default: true
    }
  }

  /// Whether a text is a value of the type as it is persisted; true for types whose values have no form of their own.
  public func admits(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { admits($0) }
  }

  /// Whether a text is a value of the type, by its UTF-8.
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
