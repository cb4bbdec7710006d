internal import Expressions
internal import FieldTypes
internal import JSONSyntax

extension RecordSchema {
  /// The schema as one unambiguous text.
  ///
  /// Two schemas that map in the same way have the same text, and the text changes when the mapping changes. The names
  /// of schemas have no influence. The text is stable between versions of the program as long as the types have the
  /// same meaning.
  public var canonicalText: String {
    keepsWholeRecords ? "whole" : Self.text(of: fields) + "key" + key.map(Self.quoted).joined(separator: ",")
  }

  private static func text(of fields: [FieldMapping]) -> String {
    var text = "{"
    for field in fields {
      text += "\(quoted(field.name)):\(quoted(field.from.text)):\(self.text(of: field.type))"
      if field.coerces { text += "~" }
      switch field.missing {
      case .required: text += "!"
      case .optional: text += "?"
      case .default(let value): text += "=" + String(decoding: JSONWriter.bytes(value), as: UTF8.self)
      }
      if let value = field.value { text += "(\(quoted(value.sourceText)))" }
      text += ";"
    }
    return text + "}"
  }

  private static func text(of type: FieldType) -> String {
    switch type {
    case .timestamp(.iso8601): "timestamp"
    case .timestamp(let format): "timestamp(\(text(of: format)))"
    case .enumeration(let values): "enum(\(values.map(quoted).joined(separator: ",")))"
    case .list(let element): "list(\(text(of: element)))"
    case .object(let fields): "object\(text(of: fields))"
    default: type.name
    }
  }

  private static func text(of format: TimestampFormat) -> String {
    switch format {
    case .iso8601: "iso"
    case .iso8601InUTC: "iso-utc"
    case .epochSeconds: "s"
    case .epochMilliseconds: "ms"
    case .epochMicroseconds: "us"
    case .pattern(let pattern): quoted(pattern)
    case .anyOf(let formats): formats.map { text(of: $0) }.joined(separator: ",")
    }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.bytes(.string(text)), as: UTF8.self)
  }
}
