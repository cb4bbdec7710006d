internal import FlowModel
internal import JSONSyntax

/// A location in a response: `$.next` in the body, or `headers.Next-Page`.
enum ResponseLocation: Sendable {
  /// A path in the JSON body.
  case body(JSONPath)
  /// A header field of this name; upper and lower case are equal.
  case header(String)

  /// The name of a header that is written as `headers.NAME`, or as expressions write it, `headers['NAME']`; nil for
  /// other texts. The name is not checked.
  static func header(in text: String) -> String? {
    guard text.hasPrefix("headers") else { return nil }
    let rest = text.dropFirst("headers".utf8.count)
    if rest.hasPrefix(".") { return String(rest.dropFirst()) }
    guard rest.hasPrefix("['") && rest.hasSuffix("']") || rest.hasPrefix("[\"") && rest.hasSuffix("\"]"), rest.count > 4
    else { return nil }
    return String(rest.dropFirst(2).dropLast(2))
  }
}
