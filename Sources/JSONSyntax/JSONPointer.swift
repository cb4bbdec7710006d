/// An RFC 6901 pointer: the location of one value in a document, such as `/orders/0/id`.
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/a~1b/0")
/// print(pointer.tokens)  // ["a/b", "0"]
/// let value = pointer.value(in: root)  // nil when it does not exist
/// ```
public struct JSONPointer: Sendable, Hashable {
  /// The reference tokens, unescaped; an empty list points to the whole document.
  public var tokens: [String]

  /// Creates a pointer from unescaped tokens.
  public init(tokens: [String] = []) { self.tokens = tokens }

  /// Creates the pointer to the value at the end of these steps; nil when an index is negative, because a pointer
  /// cannot express it.
  public init?(_ steps: [JSONPath.Step]) {
    tokens = []
    tokens.reserveCapacity(steps.count)
    for step in steps {
      switch step {
      case .name(let name):
        tokens.append(name)
      case .index(let index):
        guard index >= 0 else { return nil }
        tokens.append(String(index))
      }
    }
  }

  /// Parses the string representation, in which `~0` means `~` and `~1` means `/`.
  public init(parsing text: String) throws(JSONPathError) {
    tokens = []
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return }
    guard first == UInt8(ascii: "/") else { throw JSONPathError("a pointer must start with '/'", at: 0) }
    var token: [UInt8] = []
    var index = 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        tokens.append(String(decoding: token, as: UTF8.self))
        token.removeAll(keepingCapacity: true)
      case UInt8(ascii: "~"):
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        guard next == UInt8(ascii: "0") || next == UInt8(ascii: "1") else {
          throw JSONPathError("'~' must be written ~0 in a pointer", at: index)
        }
        token.append(next == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
        index += 1
      default:
        token.append(bytes[index])
      }
      index += 1
    }
    tokens.append(String(decoding: token, as: UTF8.self))
  }

  /// The value at the pointer; nil when it does not exist.
  ///
  /// The token `-` means the index after the last element, so it never has a value.
  public func value(in root: JSONValue) -> JSONValue? {
    var value = root
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.index(token), index < elements.count else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }

  /// Parses an index: `0`, or digits without a leading zero.
  private static func index(_ token: String) -> Int? {
    let bytes = token.utf8
    guard let first = bytes.first, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard first != 0x30 || bytes.count == 1 else { return nil }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The string representation.
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}
