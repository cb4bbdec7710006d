internal import JSONSyntax

/// Writes a value as compact JSON.
enum JSONText {
  static func bytes(of value: JSONValue) -> [UInt8] {
    let text = ByteBuffer(capacity: 1024)
    append(value, to: text)
    return text.copy()
  }

  private static func append(_ value: JSONValue, to text: ByteBuffer) {
    switch value {
    case .null: text.append("null")
    case .bool(let value): text.append(value ? "true" : "false")
    case .number(let number): text.append(utf8: number.text)
    case .string(let string): appendQuoted(string, to: text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        append(element, to: text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let object):
      text.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        appendQuoted(member.name, to: text)
        text.append(UInt8(ascii: ":"))
        append(member.value, to: text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func appendQuoted(_ string: String, to text: ByteBuffer) {
    var string = string
    string.withUTF8 { EscapedText.quote($0, into: text) }
  }
}
