internal import ByteCodings
internal import JSONSyntax
internal import WebSyntax

/// Replaces the values of parameters and members whose names say that they are credentials (`CredentialName`).
///
/// A recording or a command line of another program contains credentials in plain text, and no list names them.
struct CredentialRedaction {
  /// Returns the text that replaces the value of the credential with this name.
  let replacement: (_ name: String) -> String
  /// The names of the parameters and members whose values were replaced, in the order in which they were found.
  private(set) var names: [String] = []

  init(_ replacement: @escaping (_ name: String) -> String) { self.replacement = replacement }

  /// The URL with the values of credentials in its query replaced.
  mutating func url(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    return url[...mark] + pairs(String(url[url.index(after: mark)...]))
  }

  /// The body with the values of credentials replaced, if it is JSON or a form; other bodies stay as they are.
  mutating func body(_ bytes: [UInt8]) -> [UInt8] {
    let count = names.count
    guard let first = bytes.first(where: { $0 > 0x20 }) else { return bytes }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      guard let value = try? JSONValue(parsing: bytes) else { return bytes }
      let other = json(value)
      return names.count == count ? bytes : JSONWriter.bytes(other)
    }
    guard bytes.contains(UInt8(ascii: "=")), let text = String(validating: bytes, as: UTF8.self),
      !text.contains(where: \.isWhitespace)
    else { return bytes }
    let other = pairs(text)
    return names.count == count ? bytes : Array(other.utf8)
  }

  private mutating func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { json($0) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            guard case .string(let text) = member.value, !text.isEmpty, CredentialName.isParameter(member.name) else {
              return JSONObject.Member(name: member.name, value: json(member.value))
            }
            return JSONObject.Member(name: member.name, value: .string(replaced(member.name, text)))
          }))
    default: return value
    }
  }

  private mutating func pairs(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let sign = pair.firstIndex(of: "=") else { return String(pair) }
      let name = PercentCoding.decode(pair[..<sign])
      let value = String(pair[pair.index(after: sign)...])
      guard CredentialName.isQuery(name, value: value) else { return String(pair) }
      return pair[...sign] + replaced(name, value)
    }.joined(separator: "&")
  }

  private mutating func replaced(_ name: String, _ value: String) -> String {
    // A mark has already replaced a known secret.
    guard !value.hasPrefix("{{") else { return value }
    names.append(name)
    return replacement(name)
  }
}
