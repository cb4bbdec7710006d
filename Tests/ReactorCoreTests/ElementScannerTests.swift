import JSONSyntax
import ReactorCore
import Testing

@Suite struct ElementScannerTests {
  /// Keeps nothing of the elements.
  private final class Skipper: ElementReader {
    private var tokens = JSONTokens.none

    func begin(_ tokens: JSONTokens, firstIndex: Int) { self.tokens = tokens }
    func read(_ token: Int) throws(JSONError) -> Int { try tokens.skip(token) }
    func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError? { nil }
    func kept() -> [JSONValue] { [] }
    func failure(_ error: MappedError, at index: Int) -> ReactorError {
      ReactorError(mapping: error, recordIndex: index)
    }
  }

  private static func fingerprint(_ text: String, pieces size: Int = .max) throws -> Int? {
    let scanner = Parser.elements(
      by: Skipper(), at: .array([]), isStrict: false, demands: .init(tail: true), limits: .prompt)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
      try bytes[start...].prefix(size).withUnsafeBufferPointer { piece in
        try scanner.append(piece) { () throws(ReactorError) in }
      }
    }
    try scanner.finish { () throws(ReactorError) in }
    return scanner.tail?.fingerprint
  }

  private static let page = "[" + (0..<12).map { "{\"id\": \($0 * 37), \"name\": \"é\"}" }.joined(separator: ",") + "]"

  @Test(arguments: 1...40) func `a page has one fingerprint however it comes in pieces`(_ size: Int) throws {
    #expect(try Self.fingerprint(Self.page, pieces: size) == Self.fingerprint(Self.page))
  }

  @Test func `pages that differ in one record have different fingerprints`() throws {
    let pages = ["[1, 2]", "[1, 3]", "[1, 2, 2]", "[12]", "[\"1\", 2]"]
    #expect(try Set(pages.map { try Self.fingerprint($0) }).count == pages.count)
  }
}
