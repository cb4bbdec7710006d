/// Recognizes an HTML page that a server sends instead of the expected data.
package enum HTMLPage {
  /// The number of bytes at the start of a page in which its title is searched: 64 KiB.
  package static let longestHead = 64 << 10

  /// Whether a body is an HTML page; nil when it has too few bytes to know.
  ///
  /// - Parameter besidesXML: whether the body may be XML, whose first element may be `body` or the like
  package static func isPage(_ head: [UInt8], besidesXML: Bool = false) -> Bool? {
    var rest = head[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      guard let first = rest.first else { return head.count > longestHead ? false : nil }
      guard first == UInt8(ascii: "<") else { return false }
      // Comments may be before the document type.
      guard rest.starts(with: "<!--".utf8) else { break }
      guard let end = firstRange(of: "-->", in: rest.dropFirst(4)) else {
        return head.count > longestHead ? false : nil
      }
      rest = rest[end.upperBound...]
    }
    let starts = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script"]
    if starts.prefix(besidesXML ? 2 : starts.count).contains(where: { begins(rest, with: $0) }) { return true }
    return rest.count < 16 && head.count < longestHead
      && ["<!doctype html", "<!--", "<html"].contains { isStart(rest, of: $0) }
      ? nil : false
  }

  /// The title of a page, in one line; nil without one.
  package static func title(of head: [UInt8]) -> String? {
    let head = head.prefix(longestHead)
    guard let open = firstRange(of: "<title", in: head), let begin = head[open.upperBound...].firstIndex(of: 0x3E),
      let end = firstRange(of: "</title", in: head[(begin + 1)...])
    else { return nil }
    let text = String(decoding: head[(begin + 1)..<end.lowerBound], as: UTF8.self)
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    guard !words.isEmpty else { return nil }
    var plain = words
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
      plain = plain.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return Array(plain.utf8).withUnsafeBufferPointer { TextExcerpt.plain($0[...]) }
  }

  /// The error of an HTML page that was sent instead of the expected data.
  package static func refusal(_ head: [UInt8], insteadOf expected: String) -> ReactorError {
    var error = ReactorError.parser(
      "the response is an HTML page" + (title(of: head).map { ": '\($0)'" } ?? "") + ", not \(expected)")
    error.help = "check the URL and the credentials: servers send a page when they want a login or report an error"
    return error
  }

  private static func begins(_ bytes: ArraySlice<UInt8>, with start: String) -> Bool {
    bytes.count >= start.utf8.count && isStart(bytes.prefix(start.utf8.count), of: start)
  }

  /// Whether bytes are the beginning of a text in lower case. The case of the bytes is ignored.
  private static func isStart(_ bytes: ArraySlice<UInt8>, of text: String) -> Bool {
    zip(bytes, text.utf8).allSatisfy { lowered($0) == $1 } && bytes.count <= text.utf8.count
  }

  private static func firstRange(of text: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let text = Array(text.utf8)
    guard bytes.count >= text.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - text.count)
    where zip(bytes[start...], text).allSatisfy({ lowered($0) == $1 }) {
      return start..<(start + text.count)
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
