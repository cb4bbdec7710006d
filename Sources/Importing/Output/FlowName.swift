internal import ByteCodings

/// Names of flows, variables and secrets.
enum FlowName {
  private static let maximumLength = 60

  /// A name of letters, digits and underscores that begins with a letter.
  static func word(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        bytes.append(byte)
      } else if bytes.last != 0x5F {
        bytes.append(0x5F)
      }
    }
    while bytes.last == 0x5F { bytes.removeLast() }
    while bytes.first == 0x5F { bytes.removeFirst() }
    if bytes.isEmpty { return "value" }
    if ASCII.isDigit(bytes[0]) { bytes = Array("n".utf8) + bytes }
    return String(decoding: bytes.prefix(maximumLength), as: UTF8.self)
  }

  /// A name in lower case whose words are joined by underscores: `baseUrl` becomes `base_url`.
  static func snake(_ text: String) -> String {
    var bytes: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8 {
      let isUpper = byte &- 0x41 < 26
      let begins = isUpper && (ASCII.isDigit(previous) || previous &- 0x61 < 26)
      if begins { bytes.append(0x5F) }
      bytes.append(isUpper ? byte | 0x20 : byte)
      previous = byte
    }
    return word(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a text has a letter or a digit of which a name can be made.
  static func isPossible(_ text: String) -> Bool { text.utf8.contains { ASCII.isLetter($0) || ASCII.isDigit($0) } }
}

/// Creates names that all differ.
struct UniqueNames {
  private var names: Set<String> = []
  /// The number that was last appended to a name, so that many requests for the same name stay fast.
  private var numbers: [String: Int] = [:]

  /// The wanted name, with a number if it is already taken.
  mutating func next(_ wish: String) -> String {
    if names.insert(wish).inserted { return wish }
    var number = numbers[wish] ?? 1
    while true {
      number += 1
      let name = "\(wish)_\(number)"
      guard names.insert(name).inserted else { continue }
      numbers[wish] = number
      return name
    }
  }

  /// Whether a name is free.
  func isFree(_ name: String) -> Bool { !names.contains(name) }

  /// Makes a name free again.
  mutating func release(_ name: String) { names.remove(name) }
}
