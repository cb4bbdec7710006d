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

  /// What a value of the type is called in messages.
  public var expected: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .number: "a number"
    case .decimal: "a decimal number"
    case .boolean: "a boolean"
    case .timestamp: "a timestamp"
    case .date: "a date (YYYY-MM-DD)"
    case .duration: "a duration"
    case .uuid: "a UUID"
    case .url: "an absolute URL"
    case .bytes: "base64"
    case .enumeration: "one of the declared values"
    case .list: "a list"
    case .object: "an object"
    case .json: "a value"
    }
  }

  /// A persisted value as an example.
  public var example: String {
    switch self {
    case .string, .enumeration: "text"
    case .integer: "42"
    case .number: "1.5"
    case .decimal: "12.50"
    case .boolean: "true"
    case .timestamp: "2024-01-31T12:00:00Z"
    case .date: "2024-01-31"
    case .duration: "90s or PT1H30M"
    case .uuid: "123e4567-e89b-12d3-a456-426614174000"
    case .url: "https://example.com/"
    case .bytes: "aGk="
    case .list: "[]"
    case .object, .json: "{}"
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
