/// Makes text from files and servers safe and honest to show on a terminal.
public enum PrintableText {
  /// The text with everything that cannot be seen replaced by a visible stand-in (`<U+001B>`, `\n`), at most
  /// `limit` characters long; what is cut off is marked by `...`.
  public static func of(_ text: String, limit: Int = 500) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= limit { return result + "..." }
      count += 1
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isShownAsItself: result.unicodeScalars.append(scalar)
      default: result += scalar.escaped
      }
    }
    return result
  }
}
