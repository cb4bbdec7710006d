import Foundation
import JSONSyntax
import TestSupport
import Testing
import WebSyntax

/// The URL cases of the Web Platform Tests (`urltestdata.json`), as a ratchet: what agrees today must agree tomorrow.
@Suite struct URLSuiteTests {
  /// The share of cases that agreed when this was recorded with the 820 cases of 2023, in thousandths; the suite grows
  /// from year to year.
  private static let recorded = 980
  /// Cases that may disagree for another reason than a host outside ASCII: `^` is escaped in paths since 2024.
  private static let recordedOthers = 2

  @Test func `as many cases of the URL suite agree as were recorded`() throws {
    guard let folder = Corpus.folder("url-tests") else {
      print("skipped: url-tests is not beside the checkout")
      return
    }
    let bytes = Self.withoutLoneSurrogates(
      [UInt8](try Data(contentsOf: folder.appendingPathComponent("urltestdata.json"))))
    let cases = try #require(try JSONValue(parsing: bytes).array).filter { $0["input"] != nil }
    #expect(!cases.isEmpty)
    let failures = cases.compactMap(failure)
    let inASCII = failures.filter { !$0.hasPrefix("IDNA: ") }
    print("url-tests: \(cases.count - failures.count) of \(cases.count) agree")
    for failure in failures { print("url-tests: \(failure)") }
    #expect((cases.count - failures.count) * 1000 >= cases.count * Self.recorded)
    #expect(inASCII.count <= Self.recordedOthers)
  }

  /// What a case says and we do not; nil when they agree.
  private func failure(_ testCase: JSONValue) -> String? {
    let input = testCase["input"]?.string ?? ""
    let shown = "'\(input)' from '\(testCase["base"]?.string ?? "")'"
    var url: WebURL?
    do throws(WebURLError) {
      let base = try testCase["base"]?.string.map { text throws(WebURLError) in try WebURL(text) }
      url = try WebURL(input, relativeTo: base)
    } catch {
      if testCase["failure"]?.bool == true { return nil }
      return "\(error == .hostOutsideASCII ? "IDNA: " : "")\(shown) is refused: it \(error)"
    }
    guard let url, testCase["failure"]?.bool != true else { return "\(shown) is accepted" }
    let again = try? WebURL(url.serialized)
    guard again == url else { return "\(shown) becomes another URL when it is read again" }
    let parts: [(String, String)] = [
      ("href", url.serialized), ("origin", url.origin ?? "null"), ("protocol", url.scheme + ":"),
      ("username", url.username), ("password", url.password), ("host", url.authority), ("hostname", url.host ?? ""),
      ("port", url.port.map(String.init) ?? ""), ("pathname", url.path),
      ("search", url.query.map { $0.isEmpty ? "" : "?\($0)" } ?? ""),
      ("hash", url.fragment.map { $0.isEmpty ? "" : "#\($0)" } ?? ""),
    ]
    for (name, value) in parts {
      if let expected = testCase[name]?.string, expected != value {
        return "\(shown) has the \(name) \(value), expected \(expected)"
      }
    }
    return nil
  }

  /// The suite holds halves of surrogate pairs, which no JSON text means; a browser replaces them by U+FFFD.
  private static func withoutLoneSurrogates(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    let pair = #/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/#
    let half = #/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/#
    var result = ""
    var rest = text[...]
    while let found = rest.firstMatch(of: pair) {
      result += rest[..<found.range.lowerBound].replacing(half, with: "\\ufffd") + found.output
      rest = rest[found.range.upperBound...]
    }
    result += rest.replacing(half, with: "\\ufffd")
    return Array(result.utf8)
  }
}
