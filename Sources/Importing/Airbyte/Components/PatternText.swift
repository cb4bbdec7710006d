/// Converts a regular expression of a manifest to a pattern of `extract`.
enum PatternText {
  /// Returns a pattern that matches at the beginning of a text and whose only outer group contains the whole match; nil
  /// for one that I-Regexp (RFC 9485) cannot express, such as a look-ahead or a lazy quantifier.
  static func of(_ regex: String) -> String? {
    var source = Array(regex.unicodeScalars)
    guard !source.isEmpty, source.count <= 200 else { return nil }
    if source.first == "^" { source.removeFirst() }
    var isWhole = false
    if source.last == "$", source.dropLast().last != "\\" {
      source.removeLast()
      isWhole = true
    }
    return body(source, word: "A-Za-z0-9_").map { "^(\($0))\(isWhole ? "$" : "")" }
  }

  /// Whether an expression has a group.
  static func hasGroup(_ regex: String) -> Bool { firstGroup(Array(regex.unicodeScalars)) != nil }

  /// Returns a pattern that matches anywhere in a text and whose first group is the first group of the expression; nil
  /// for one that I-Regexp cannot express.
  static func search(_ regex: String) -> String? {
    let source = Array(regex.unicodeScalars)
    guard source.count <= 200, let group = firstGroup(source) else { return nil }
    // Every group is counted.
    if source[group...].dropFirst().first == "?", !source[group...].dropFirst(2).starts(with: "P<".unicodeScalars) {
      return nil
    }
    return anywhere(regex)
  }

  /// Returns a pattern that matches the same parts of a text as the expression, at any position; nil for one that
  /// I-Regexp cannot express.
  static func anywhere(_ regex: String) -> String? {
    var source = Array(regex.unicodeScalars)
    guard !source.isEmpty, source.count <= 200 else { return nil }
    let isFirst = source.first == "^"
    if isFirst { source.removeFirst() }
    let isLast = source.last == "$" && source.dropLast().last != "\\"
    if isLast { source.removeLast() }
    // An end in one of several branches belongs to that branch.
    guard !isFirst && !isLast || !hasBranches(source) else { return nil }
    return body(source, word: "\\p{L}\\p{N}_").map { (isFirst ? "^" : "") + $0 + (isLast ? "$" : "") }
  }

  /// The index of the first parenthesis that opens a group.
  private static func firstGroup(_ source: [Unicode.Scalar]) -> Int? {
    var (index, isClass) = (0, false)
    while index < source.count {
      switch source[index] {
      case "\\": index += 1
      case "[": isClass = true
      case "]": isClass = false
      case "(" where !isClass: return index
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Whether an expression is a choice between branches, outside of its groups.
  private static func hasBranches(_ source: [Unicode.Scalar]) -> Bool {
    var (index, depth, isClass) = (0, 0, false)
    while index < source.count {
      switch source[index] {
      case "\\": index += 1
      case "[": isClass = true
      case "]": isClass = false
      case "(" where !isClass: depth += 1
      case ")" where !isClass: depth -= 1
      case "|" where !isClass && depth == 0: return true
      default: break
      }
      index += 1
    }
    return false
  }

  /// - Parameter word: the members of the class of letters, digits and underscores
  private static func body(_ source: [Unicode.Scalar], word: String) -> String? {
    var result = ""
    var (index, isClass) = (0, false)
    while index < source.count {
      let scalar = source[index]
      let next = index + 1 < source.count ? source[index + 1] : nil
      index += 1
      switch scalar {
      case "\\":
        guard let next else { return nil }
        index += 1
        let classes: [Unicode.Scalar: String] = ["d": "0-9", "w": word, "s": " \\t\\r\\n"]
        if let members = classes[next] {
          result += isClass ? members : "[\(members)]"
        } else if next.properties.isAlphabetic || ("0"..."9").contains(next) {
          return nil
        } else {
          // Only characters with a meaning may have a backslash.
          let hasMeaning = "()*+-.?[\\]^{|}$".unicodeScalars.contains(next)
          result += (hasMeaning ? "\\" : "") + String(next)
        }
      case "[" where !isClass:
        isClass = true
        result += "["
      case "]" where isClass:
        isClass = false
        result += "]"
      case "(" where !isClass && next == "?":
        guard let end = group(source, index) else { return nil }
        index = end
        result += "("
      case "^" where !isClass, "$" where !isClass: return nil
      case "*" where !isClass, "+" where !isClass, "?" where !isClass, "}" where !isClass:
        if next == "?" || next == "+" { return nil }
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return isClass ? nil : result
  }

  /// The index after `?:` or `?P<name>`; nil for other groups.
  private static func group(_ source: [Unicode.Scalar], _ start: Int) -> Int? {
    guard start + 1 < source.count else { return nil }
    if source[start + 1] == ":" { return start + 2 }
    guard source[start + 1] == "P", start + 2 < source.count, source[start + 2] == "<",
      let end = source[start...].firstIndex(of: ">")
    else { return nil }
    return end + 1
  }
}
