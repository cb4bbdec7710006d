import Foundation
import JSONSyntax
import TestSupport
import Testing

/// The JSONPath Compliance Test Suite, where it lies beside the checkout.
@Suite struct JSONPathComplianceTests {
  @Test func `every case of the compliance suite passes`() throws {
    guard let folder = Corpus.folder("jsonpath-cts") else {
      print("jsonpath-cts is absent: the compliance suite did not run")
      return
    }
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("cts.json")))
    let cases = try #require(try JSONValue(parsing: bytes)["tests"]?.array)
    let failures = cases.compactMap(failure)
    print("jsonpath-cts: \(cases.count - failures.count) of \(cases.count) agree")
    #expect(!cases.isEmpty)
    #expect(failures == [])
  }

  /// What a case says and we do not; nil when it passes.
  private func failure(_ testCase: JSONValue) -> String? {
    let name = testCase["name"]?.string ?? "?"
    guard let selector = testCase["selector"]?.string else { return "\(name): no selector" }
    let path: JSONPath
    do throws(JSONPathError) {
      path = try JSONPath(parsing: selector)
    } catch {
      guard testCase["invalid_selector"]?.bool == true else { return "\(name): \(selector) refused: \(error)" }
      guard (0...selector.utf8.count).contains(error.offset) else { return "\(name): an offset outside the query" }
      return nil
    }
    guard testCase["invalid_selector"]?.bool != true else { return "\(name): \(selector) accepted" }
    guard let document = testCase["document"] else { return "\(name): no document" }
    guard let nodes = try? path.nodes(in: document), let found = try? path.values(in: document) else {
      return "\(name): too many steps"
    }
    let values = JSONValue.array(nodes.map(\.value))
    let locations = JSONValue.array(nodes.map { .string($0.location.normalizedPath) })
    guard values.isEquivalent(to: .array(found)) else {
      return "\(name): nodes and values differ"
    }
    let expected = testCase["results"]?.array ?? testCase["result"].map { [$0] } ?? []
    guard expected.contains(where: { $0.isEquivalent(to: values) }) else {
      return "\(name): \(selector) gave \(values)"
    }
    let expectedPlaces = testCase["results_paths"]?.array ?? testCase["result_paths"].map { [$0] } ?? []
    guard expectedPlaces.isEmpty || expectedPlaces.contains(where: { $0.isEquivalent(to: locations) }) else {
      return "\(name): \(selector) found \(locations)"
    }
    return nil
  }
}
