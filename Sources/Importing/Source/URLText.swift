/// Splits URLs that contain expressions in braces.
enum URLText {
  /// Splits a text at the first `mark` that is not in an expression; without one, the second part is empty.
  static func split(_ text: String, at mark: Character) -> (String, String) {
    var depth = 0
    for index in text.indices {
      if text[index] == "{" { depth += 1 }
      if text[index] == "}" { depth = max(0, depth - 1) }
      if depth == 0, text[index] == mark { return (String(text[..<index]), String(text[text.index(after: index)...])) }
    }
    return (text, "")
  }

  /// Splits a text at each `mark` that is not in an expression.
  static func parts(_ text: String, at mark: Character) -> [String] {
    var (result, part, depth) = ([String](), "", 0)
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth = max(0, depth - 1) }
      if depth == 0, character == mark {
        result.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return result + [part]
  }

  /// Splits a URL into its origin and its path. An expression at its beginning is the origin.
  static func origin(of url: String) -> (String, String) {
    var (start, scheme) = ("", url)
    repeat {
      let (before, after) = split(scheme, at: ":")
      guard before.utf8.count < scheme.utf8.count else {
        let (server, path) = split(url, at: "/")
        return url.hasPrefix("{{") && server.utf8.count < url.utf8.count ? (server, "/" + path) : (url, "")
      }
      (start, scheme) = ("\(start)\(before):", after)
    } while !scheme.hasPrefix("//")
    start += "//"
    scheme.removeFirst(2)
    let (host, path) = split(scheme, at: "/")
    let hasPath = scheme.utf8.count > host.utf8.count
    return (start + host, hasPath ? "/" + path : "")
  }

  /// The pairs of a query, as they are written.
  static func pairs(_ query: String) -> [(name: String, value: String)] {
    parts(query, at: "&").compactMap { pair in
      let (name, value) = split(pair, at: "=")
      return name.isEmpty ? nil : (name, value)
    }
  }
}
