import Foundation
import YAMLSyntax

/// A JSON value for comparison: numbers by value, objects without order.
indirect enum PlainJSON: Hashable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case array([PlainJSON])
  case object([String: PlainJSON])

  /// A node by the core schema of YAML 1.2 (section 10.3).
  init(_ node: YAMLNode) {
    switch node.content {
    case .sequence(let items): self = .array(items.map(PlainJSON.init))
    case .mapping(let mapping):
      self = .object(
        Dictionary(mapping.entries.map { ($0.name, PlainJSON($0.value)) }, uniquingKeysWith: { _, last in last }))
    case .scalar(let scalar): self = PlainJSON(scalar)
    }
  }

  private init(_ scalar: YAMLScalar) {
    let isPlain = scalar.style == .plain && scalar.tag == nil
    let isNumber = isPlain || scalar.tag == "!!int" || scalar.tag == "!!float"
    if isPlain || scalar.tag == "!!null", ["", "~", "null", "Null", "NULL"].contains(scalar.text) {
      self = .null
    } else if isPlain || scalar.tag == "!!bool", ["true", "True", "TRUE"].contains(scalar.text) {
      self = .boolean(true)
    } else if isPlain || scalar.tag == "!!bool", ["false", "False", "FALSE"].contains(scalar.text) {
      self = .boolean(false)
    } else if isNumber, let number = Self.number(scalar.text) {
      self = .number(number)
    } else {
      self = .text(scalar.text)
    }
  }

  private static func number(_ text: String) -> Double? {
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map(Double.init) }
    if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).map(Double.init) }
    guard text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil else { return nil }
    return Double(text.hasPrefix(".") ? "0" + text : text)
  }

  /// All values of a text of JSON documents one behind the other, or nil where it is not one.
  static func documents(_ bytes: [UInt8]) -> [PlainJSON]? {
    var result: [PlainJSON] = []
    for piece in pieces(bytes) {
      guard let value = try? JSONSerialization.jsonObject(with: Data(piece), options: .fragmentsAllowed) else {
        return nil
      }
      result.append(PlainJSON(foundation: value))
    }
    return result
  }

  private init(foundation value: Any) {
    switch value {
    case let number as NSNumber where CFBooleanCheck.isBoolean(number): self = .boolean(number.boolValue)
    case let number as NSNumber: self = .number(number.doubleValue)
    case let text as String: self = .text(text)
    case let array as [Any]: self = .array(array.map(PlainJSON.init(foundation:)))
    case let object as [String: Any]: self = .object(object.mapValues(PlainJSON.init(foundation:)))
    default: self = .null
    }
  }

  /// Cuts a text behind each whole value at the outermost level.
  private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var current: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    func flush() {
      if current.contains(where: { $0 > 0x20 }) { pieces.append(current) }
      current = []
    }
    for byte in bytes {
      if isInString {
        current.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
        if !isInString, depth == 0 { flush() }
        continue
      }
      switch byte {
      case 0x22:
        isInString = true
        current.append(byte)
      case 0x5B, 0x7B:
        depth += 1
        current.append(byte)
      case 0x5D, 0x7D:
        depth -= 1
        current.append(byte)
        if depth == 0 { flush() }
      case 0x20, 0x09, 0x0A, 0x0D:
        current.append(byte)
        if depth == 0 { flush() }
      default: current.append(byte)
      }
    }
    flush()
    return pieces
  }

  private enum CFBooleanCheck {
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  }
}
