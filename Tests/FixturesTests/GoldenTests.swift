import Fixtures
import Foundation
import JSONSyntax
import TestSupport
import Testing
import TimeSyntax

@Suite struct GoldenTests {
  private static func values(_ texts: [String]) throws -> [JSONValue] { try texts.map { try JSONValue(parsing: $0) } }

  private static func golden(_ texts: [String], key: [String] = ["id"], masks: [ValueMask] = []) throws -> GoldenRecords
  {
    GoldenRecords(try values(texts), key: key, masks: masks)
  }

  @Test func `records are kept by key, numbers as written`() throws {
    let golden = try Self.golden([
      "{\"id\":10,\"n\":1e400}", "{\"id\":9,\"n\":1.0}", "{\"id\":9,\"n\":9007199254740993}",
    ])
    #expect(
      String(decoding: golden.bytes, as: UTF8.self)
        == "{\"id\":9,\"n\":1.0}\n{\"id\":9,\"n\":9007199254740993}\n{\"id\":10,\"n\":1e400}\n")
    #expect(golden.records.map(\.key) == ["id=9", "id=9 #2", "id=10"])
    #expect(golden.order == ["id=10", "id=9", "id=9 #2"])
    #expect(try Self.golden(["{\"id\":1}", "{\"id\":2}"]).order == nil)
  }

  @Test(arguments: [
    (["{\"id\":1,\"a\":1}"], ["{\"id\":1,\"a\":1.0}"], ["changed id=1 $.a 1 1.0"]),
    (["{\"id\":1,\"a\":1}"], ["{\"id\":1,\"a\":\"1\"}"], ["changed id=1 $.a 1 \"1\""]),
    (["{\"id\":1,\"a\":1}"], ["{\"id\":1}"], ["changed id=1 $.a 1 -"]),
    (["{\"id\":1}"], ["{\"id\":1,\"b\":null}"], ["changed id=1 $.b - null"]),
    (["{\"id\":1}", "{\"id\":2}"], ["{\"id\":2}"], ["removed id=1 $ {\"id\":1} -"]),
    (["{\"id\":2}"], ["{\"id\":1}", "{\"id\":2}"], ["added id=1 $ - {\"id\":1}"]),
    (
      ["{\"id\":1,\"l\":[1,{\"x\":2}]}"], ["{\"id\":1,\"l\":[1,{\"x\":3},4]}"],
      ["changed id=1 $.l[1].x 2 3", "changed id=1 $.l[2] - 4"]
    ), (["{\"id\":1,\"a\":1,\"b\":2}"], ["{\"b\":2,\"a\":1,\"id\":1}"], []),
    (["{\"id\":\"e\u{301}\"}"], ["{\"id\":\"\u{e9}\"}"], ["changed id=\u{e9} $.id"]),
  ])
  func `differences are told by key and path`(_ old: [String], _ new: [String], _ expected: [String]) throws {
    let differences = GoldenDifference.between(try Self.golden(old), try Self.golden(new)).map { difference in
      func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) } ?? "-"
      }
      return
        "\(difference.kind.rawValue) \(difference.key ?? "") \(difference.path) \(text(difference.expected)) \(text(difference.actual))"
    }
    #expect(differences.count == expected.count, "\(differences)")
    for (told, meant) in zip(differences, expected) { #expect(told.hasPrefix(meant), "\(told)") }
  }

  @Test func `records without a key are compared where they differ`() throws {
    let old = try Self.golden(["1", "2", "3", "4"], key: [])
    let new = try Self.golden(["1", "9", "2", "3", "4"], key: [])
    let differences = GoldenDifference.between(old, new)
    #expect(differences.map(\.kind) == [.added])
    #expect(differences.map(\.key) == ["record 2"])
  }

  @Test(arguments: [
    ("any(uuid)", "\"0b6e2f0e-7c1d-4f6a-9d1b-1234567890ab\"", "\"any(uuid)\""), ("any(uuid)", "\"nope\"", "\"nope\""),
    ("any(timestamp)", "\"2026-11-21T08:00:00Z\"", "\"any(timestamp)\""),
    ("any(timestamp)", "1732176000", "\"any(timestamp)\""),
    ("any(timestamp)", "\"yesterday\"", "\"yesterday\""), ("any(date)", "\"2026-11-21\"", "\"any(date)\""),
    ("any(date)", "\"2026-11-21T08:00\"", "\"2026-11-21T08:00\""), ("any(integer)", "7", "\"any(integer)\""),
    ("any(integer)", "7.5", "7.5"), ("any(boolean)", "true", "\"any(boolean)\""), ("any(number)", "\"7\"", "\"7\""),
    ("any(url)", "\"https://x\"", "\"any(url)\""), ("any(value)", "null", "null"), ("any(string)", "\"\"", "\"\""),
    ("round(2)", "1.005001", "1.01"), ("round(2)", "-1.234", "-1.23"), ("round(0)", "2.5", "3"),
    ("round(3)", "0.0004", "0.000"),
    ("round(1)", "\"x\"", "\"x\""), ("sort", "[3,1,2]", "[1,2,3]"),
    ("sort", "[{\"b\":1,\"a\":2},{\"a\":1}]", "[{\"a\":1},{\"b\":1,\"a\":2}]"),
  ])
  func `a mask hides what varies and nothing else`(_ rule: String, _ value: String, _ masked: String) throws {
    let mask = ValueMask(try JSONPath(parsing: "$.list[*].x"), try #require(ValueMask.Rule(rule)))
    let record = try JSONValue(parsing: "{\"list\":[{\"x\":\(value),\"y\":\(value)}]}")
    let text = String(decoding: JSONWriter.bytes(mask.apply(to: record)), as: UTF8.self)
    let kept = String(decoding: JSONWriter.bytes(try JSONValue(parsing: value)), as: UTF8.self)
    #expect(text == "{\"list\":[{\"x\":\(masked),\"y\":\(kept)}]}")
  }

  @Test(arguments: ["any()", "any(uid)", "round", "round(-1)", "round(13)", "", "sorted"])
  func `what is no mask is refused`(_ rule: String) { #expect(ValueMask.Rule(rule) == nil) }

  @Test(arguments: [FixtureFolder.records, FixtureFolder.decisions])
  func `a golden with the marks of a conflict can be accepted anew`(_ name: String) throws {
    let root = try Workspace.makeFolder("review")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = FixtureFolder(root: root.path, flow: "f.g")
    let (whole, damaged) = ("{\"id\":1}\n", "<<<<<<< HEAD\n{\"id\":1}\n=======\n{\"id\":2}\n>>>>>>> other\n")
    #expect(GoldenReview.isReadable(Array(whole.utf8), name))
    #expect(!GoldenReview.isReadable(Array(damaged.utf8), name))
    try FixtureFiles.write(Array(damaged.utf8), to: folder.path(name))
    try FixtureFiles.write(Array(whole.utf8), to: folder.path(name) + FixtureFolder.pending)
    let review = try #require(try GoldenReview(of: name, in: folder, key: ["id"]))
    #expect(review.steps.map(\.name) == ["the whole file, because the golden cannot be read"])
    try review.settle([.accept], in: folder)
    #expect(try folder.golden(name) == Array(whole.utf8) && folder.waiting.isEmpty)
  }

  @Test func `some of what waits can be accepted, and some rejected`() throws {
    let root = try Workspace.makeFolder("review")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = FixtureFolder(root: root.path, flow: "f.g")
    let name = FixtureFolder.records
    let old = "{\"id\":1,\"a\":1}\n{\"id\":2,\"a\":1}\n{\"id\":3,\"a\":1}\n"
    let new = "{\"id\":1,\"a\":2}\n{\"id\":3,\"a\":2}\n{\"id\":4,\"a\":1}\n"
    try FixtureFiles.write(Array(old.utf8), to: folder.path(name))
    try FixtureFiles.write(Array(new.utf8), to: folder.path(name) + FixtureFolder.pending)
    #expect(folder.waiting == [name])
    var review = try #require(try GoldenReview(of: name, in: folder, key: ["id"]))
    #expect(review.steps.map(\.name) == ["id=1", "id=2", "id=3", "id=4"])
    try review.settle([.accept, .accept, .skip, .reject], in: folder)
    #expect(
      try folder.golden(name).map { String(decoding: $0, as: UTF8.self) } == "{\"id\":1,\"a\":2}\n{\"id\":3,\"a\":1}\n")
    review = try #require(try GoldenReview(of: name, in: folder, key: ["id"]))
    #expect(review.steps.map(\.name) == ["id=3"])
    try review.settle([.accept], in: folder)
    #expect(
      try folder.golden(name).map { String(decoding: $0, as: UTF8.self) } == "{\"id\":1,\"a\":2}\n{\"id\":3,\"a\":2}\n")
    #expect(folder.waiting.isEmpty)
  }

  @Test func `decisions are accepted by name`() throws {
    let root = try Workspace.makeFolder("review")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = FixtureFolder(root: root.path, flow: "f.g")
    let name = FixtureFolder.decisions
    let old = FlowDecisions(status: "passed", records: 1, requests: ["GET a -> 200"], waits: [1000])
    let new = FlowDecisions(status: "passed", records: 2, rejected: 1, requests: ["GET a -> 200"], waits: [2000])
    try FixtureFiles.write(old.bytes, to: folder.path(name))
    try FixtureFiles.write(new.bytes, to: folder.path(name) + FixtureFolder.pending)
    let review = try #require(try GoldenReview(of: name, in: folder, key: []))
    #expect(review.steps.map(\.name) == ["records", "rejected", "waits_ms"])
    try review.settle([.accept, .accept, .accept], in: folder)
    #expect(try folder.golden(name) == new.bytes)
    #expect(folder.waiting.isEmpty)
  }

  @Test(arguments: [0, 1, 951_782_400, 1_763_712_000, 4_102_444_799])
  func `moments come back`(_ seconds: Int64) {
    #expect(InstantText.seconds(InstantText.text(seconds)) == seconds)
  }

  @Test func `waits pass at once and are written down`() {
    let clock = VirtualClock(start: .seconds(100))
    clock.wait(.seconds(60))
    clock.wait(.milliseconds(500))
    #expect(clock.sinceEpoch == .milliseconds(160_500))
    #expect(clock.waits == [.seconds(60), .milliseconds(500)])
  }
}
