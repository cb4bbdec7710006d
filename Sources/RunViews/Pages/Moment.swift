internal import TimeSyntax

/// A time as pages show it: `2026-11-29 03:10`, in UTC.
package struct Moment {
  private let text: String

  /// Uses a time in RFC 3339, as reports and histories have it.
  package init(_ text: String) { self.text = text }

  /// Uses seconds since 1970.
  package init(_ seconds: Int64) { text = InstantText.text(seconds) }

  /// The time as an element; a text of another form is shown as it is.
  package var html: String {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z") else {
      return Markup.text(text)
    }
    return
      "<time datetime=\"\(Markup.text(text))\">\(Markup.text("\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"))</time>"
  }

  /// An age in words: `2 hours old`.
  package static func age(_ seconds: Int64) -> String { "\(Quantity.age(.seconds(max(0, seconds)))) old" }
}
