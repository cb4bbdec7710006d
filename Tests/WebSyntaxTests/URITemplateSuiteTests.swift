import Foundation
import JSONSyntax
import TestSupport
import Testing
import WebSyntax

/// The public suite of RFC 6570 (`uritemplate-test`): every case of every file.
@Suite struct URITemplateSuiteTests {
  @Test func `every case of the URI template suite agrees`() throws {
    guard let folder = Corpus.folder("uri-template-tests") else {
      print("skipped: uri-template-tests is not beside the checkout")
      return
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    var count = 0
    var failures: [String] = []
    for name in names.sorted() {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      guard case .object(let groups) = try JSONValue(parsing: bytes) else { continue }
      for group in groups.members.map(\.value) {
        let variables = group["variables"]
        for testCase in group["testcases"]?.array ?? [] {
          count += 1
          if let failure = failure(testCase, variables: variables) { failures.append("\(name): \(failure)") }
        }
      }
    }
    print("uri-template-tests: \(count - failures.count) of \(count) agree")
    #expect(count >= 200)
    #expect(failures == [])
  }

  private func failure(_ testCase: JSONValue, variables: JSONValue?) -> String? {
    guard let pair = testCase.array, pair.count == 2, let text = pair[0].string else { return "no case" }
    let accepted = pair[1].array?.compactMap(\.string) ?? [pair[1].string].compactMap { $0 }
    do throws(URITemplateError) {
      let result = try URITemplate(text).expand { Self.value(variables?[$0]) }
      if accepted.isEmpty { return "\(text) is accepted as \(result)" }
      return accepted.contains(result) ? nil : "\(text) becomes \(result), expected \(accepted[0])"
    } catch {
      if !(0...text.utf8.count).contains(error.offset) { return "\(text): an offset outside the template" }
      return accepted.isEmpty ? nil : "\(text) is refused: \(error)"
    }
  }

  private static func value(_ json: JSONValue?) -> URITemplate.Value? {
    switch json {
    case nil, .null: nil
    case .array(let items): .list(items.compactMap(text))
    case .object(let object):
      .map(object.members.compactMap { member in text(member.value).map { .init(member.name, $0) } })
    case .some(let scalar): text(scalar).map { .text($0) }
    }
  }

  private static func text(_ json: JSONValue) -> String? {
    switch json {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }
}
