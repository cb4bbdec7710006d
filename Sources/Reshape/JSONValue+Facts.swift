internal import JSONSyntax

extension JSONValue {
  /// Whether the value counts as true: every value except `false` and `null`.
  var isTrue: Bool {
    switch self {
    case .null, .bool(false): false
    default: true
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var isArray: Bool { if case .array = self { true } else { false } }

  var isObject: Bool { if case .object = self { true } else { false } }

  /// The nesting depth, 0 for a scalar; nil when the depth exceeds `maximum`.
  func nesting(atMost maximum: Int) -> Int? {
    switch self {
    case .array(let elements):
      guard maximum > 0 else { return nil }
      var deepest = 0
      for element in elements where element.isContainer {
        guard let depth = element.nesting(atMost: maximum - 1) else { return nil }
        deepest = max(deepest, depth)
      }
      return deepest + 1
    case .object(let object):
      guard maximum > 0 else { return nil }
      var deepest = 0
      for member in object.members where member.value.isContainer {
        guard let depth = member.value.nesting(atMost: maximum - 1) else { return nil }
        deepest = max(deepest, depth)
      }
      return deepest + 1
    default:
      return 0
    }
  }

  /// The kind and value as in jq's messages: `string ("abc")`, cut after 11 bytes.
  var shown: String { "\(kindName) (\(excerptForErrors))" }

  /// The value's JSON as in jq's messages.
  var excerptForErrors: String {
    let text = excerpt(limit: 40)
    guard text.utf8.count > 14 else { return text }
    var cut = ""
    for scalar in text.unicodeScalars {
      if cut.utf8.count + String(scalar).utf8.count > 11 { break }
      cut.unicodeScalars.append(scalar)
    }
    return cut + "..."
  }

  /// The message of an error that has this value.
  var errorText: String {
    switch self {
    case .string(let text): text
    case .null: "null (null) not a string"
    default: "\(excerpt(limit: 200)) (not a string)"
    }
  }
}
