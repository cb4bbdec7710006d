/// A regular expression of a manifest, as `extract` takes it.
enum HeaderPattern {
  /// Returns a pattern whose only outer group is the whole match at the beginning of a text; nil for one that I-Regexp
  /// (RFC 9485) cannot express, such as a look-ahead or a lazy quantifier.
  static func of(_ regex: String) -> String? {
    var source = Array(regex.unicodeScalars)
    guard !source.isEmpty, source.count <= 200 else { return nil }
    if source.first == "^" { source.removeFirst() }
    var isWhole = false
    if source.last == "$", source.dropLast().last != "\\" {
      source.removeLast()
      isWhole = true
    }
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
        let classes: [Unicode.Scalar: String] = ["d": "0-9", "w": "A-Za-z0-9_", "s": " \\t\\r\\n"]
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
    return isClass ? nil : "^(\(result))\(isWhole ? "$" : "")"
  }

  /// The index behind `?:` or `?P<name>`; nil for other groups.
  private static func group(_ source: [Unicode.Scalar], _ start: Int) -> Int? {
    guard start + 1 < source.count else { return nil }
    if source[start + 1] == ":" { return start + 2 }
    guard source[start + 1] == "P", start + 2 < source.count, source[start + 2] == "<",
      let end = source[start...].firstIndex(of: ">")
    else { return nil }
    return end + 1
  }
}
