import Foundation
import JSONSyntax
import TestSupport
import Testing

/// JSONTestSuite's texts, where they lie beside the checkout, read as one value each.
@Suite struct JSONTestSuiteTests {
  /// Our answers to the texts that a parser may take or refuse, as docs/reference/json.md publishes them.
  static func published() throws -> [String: Bool] {
    let repository = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: repository.appendingPathComponent("docs/reference/json.md"), encoding: .utf8)
    var answers: [String: Bool] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `i_") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      answers[cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))] = cells[1] == "taken"
    }
    return answers
  }

  @Test func `all must-accept texts are taken, all must-refuse texts refused, the free ones as published`() throws {
    let published = try Self.published()
    #expect(published.count == 35)
    guard let folder = Corpus.folder("json-test-suite")?.appendingPathComponent("test_parsing") else {
      print("skipped: json-test-suite is absent, its texts were not read")
      return
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    var counts: [Character: Int] = [:]
    var failures: [String] = []
    for name in names.sorted() {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      let isTaken = (try? JSONValue(parsing: bytes)) != nil
      let kind = name.first ?? "?"
      counts[kind, default: 0] += 1
      let title = String(name.dropLast(5))
      var expected = kind == "y" || (kind == "i" && published[title] == true)
      // The planted fault: what must be refused is expected to be taken.
      if Plant.isSet("t6"), kind == "n" { expected.toggle() }
      if isTaken != expected { failures.append("\(title) is \(isTaken ? "taken" : "refused")") }
    }
    print("json-test-suite: \(names.count - failures.count) of \(names.count) as they must be")
    #expect(failures == [])
    #expect(counts == ["y": 95, "n": 188, "i": 35])
  }

  @Test func `numbers keep their text and repeated names their last value`() throws {
    guard let folder = Corpus.folder("json-test-suite")?.appendingPathComponent("test_transform") else {
      print("skipped: json-test-suite is absent, its texts were not read")
      return
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("number_") {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: "[] \n"))
      guard case .number(let number)? = try JSONValue(parsing: bytes).array?.first else {
        Issue.record("\(name) holds no number")
        continue
      }
      #expect(number.text == text)
    }
    for name in ["object_same_key_different_values", "object_same_key_unclear_values"] {
      let file = folder.appendingPathComponent("\(name).json")
      guard let data = try? Data(contentsOf: file) else { continue }
      let value = try JSONValue(parsing: [UInt8](data))
      #expect(value["a"]?.int64 == (name.hasSuffix("different_values") ? 2 : 0))
    }
  }

  enum Nesting: String, CaseIterable { case arrays, objects, mixed, unclosed }

  @Test(arguments: Nesting.allCases, [1, 255, 256, 257, 1_000, 10_000, 100_000, 1_000_000])
  func `nesting is taken to 256 and refused beyond, in bounded time`(_ nesting: Nesting, _ depth: Int) throws {
    let (open, inner, close) =
      switch nesting {
      case .arrays: ("[", "1", "]")
      case .objects: ("{\"a\":", "1", "}")
      case .mixed: ("[{\"a\":", "1", "}]")
      case .unclosed: ("[", "", "")
      }
    let count = nesting == .mixed ? (depth + 1) / 2 : depth
    let text = Array((String(repeating: open, count: count) + inner + String(repeating: close, count: count)).utf8)
    let memory = PeakMemory.begin()
    var isTaken = false
    let time = ProcessorTime.measure { isTaken = (try? JSONValue(parsing: text)) != nil }
    let levels = nesting == .mixed ? count * 2 : count
    #expect(isTaken == (levels <= 256 && nesting != .unclosed))
    #expect(time < ProcessorTime.bound)
    #expect(PeakMemory.kilobytes - memory < 200 << 10)
  }
}
