import FieldTypes
import Foundation
import ReactorCore
import Records
import TestSupport
import Testing

/// JSONTestSuite's texts, where they lie beside the checkout, as responses that arrive in pieces.
@Suite struct JSONTestSuiteTests {
  @Test func `a stream takes and refuses what one value does`() async throws {
    guard let folder = Corpus.folder("json-test-suite")?.appendingPathComponent("test_parsing") else {
      print("skipped: json-test-suite is absent, its texts were not read as responses")
      return
    }
    let published = try Self.published()
    var failures: [String] = []
    var limits = RecordLimits()
    limits.windowBytes = 1
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".json")
    {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      let title = String(name.dropLast(5))
      // Whole, inside an unmapped member of a record, and byte by byte where the text is short.
      let whole = (try? await Reading([bytes], .wholeRecords, isStrict: true)) != nil
      var ways = [("whole", whole)]
      if !bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        let member = Array(#"[{"id":1,"x":"#.utf8) + bytes + Array("}]".utf8)
        ways.append(("in a member", (try? await Reading([member], schema([("id", .integer)]))) != nil))
      }
      if bytes.count < 500 {
        ways.append(
          ("in pieces", (try? await Reading(bytes.map { [$0] }, .wholeRecords, isStrict: true, limits: limits)) != nil))
      }
      var expected = name.hasPrefix("y_") || published[title] == true
      if Plant.isSet("t6"), name.hasPrefix("n_") { expected.toggle() }
      for (way, isTaken) in ways
      // What nobody maps is checked for its grammar only, and half a surrogate pair is within it.
      where isTaken
        != (expected
          || way == "in a member" && title.hasPrefix("i_") && title.contains("surrogate") && !title.contains("UTF8"))
      {
        failures.append("\(title) is \(isTaken ? "taken" : "refused") \(way)")
      }
    }
    #expect(failures == [])
  }

  private static func published() throws -> [String: Bool] {
    let repository = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: repository.appendingPathComponent("docs/reference/json.md"), encoding: .utf8)
    return Dictionary(
      uniqueKeysWithValues: page.split(separator: "\n").filter { $0.hasPrefix("| `i_") }.map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`")), cells[1] == "taken")
      })
  }

  @Test(arguments: ["[", #"{"a":"#, #"[{"a":"#], [1_000, 100_000, 1_000_000])
  func `a response nested deeper than 256 is refused in bounded time, wherever the depth is`(
    _ bracket: String, _ depth: Int
  ) async throws {
    let deep = Array(String(repeating: bracket, count: depth).utf8)
    let fields = try schema([("id", .integer)])
    for (before, path) in [
      ("", nil), (#"[{"id":1,"x":"#, nil), (#"{"head":"#, "$.data"), (#"{"data":[{"x":"#, "$.data"),
    ] {
      let memory = PeakMemory.begin()
      let bytes = Array(before.utf8) + deep
      let before = ProcessorTime.used
      #expect((try? await Reading([bytes], fields, at: path)) == nil)
      #expect(ProcessorTime.used - before < ProcessorTime.bound)
      #expect(PeakMemory.kilobytes - memory < 200 << 10)
    }
  }
}
