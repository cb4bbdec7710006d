import Fixtures
import Foundation
import TestSupport
import Testing

@Suite struct CassetteTests {
  private static func cassette(_ body: [UInt8]) -> Cassette {
    Cassette(
      flow: "shop.customers", recordedAt: "2026-11-21T08:00:00Z", tool: "1",
      entries: [
        .init(
          request: RecordedRequest(method: "GET", url: "{{base}}/a?b=1"),
          outcome: .response(RecordedResponse(status: 200, headers: [.init("X-A", "b: c")], body: body)))
      ])
  }

  private static func saved(_ cassette: Cassette, _ scan: SecretScan = SecretScan([:])) throws -> (FixtureFolder, URL) {
    let root = try Workspace.makeFolder("cassette")
    let folder = FixtureFolder(root: root.path, flow: cassette.flow)
    try folder.save(cassette, scan: scan)
    return (folder, root)
  }

  @Test(arguments: [
    "", "plain", "{\"a\":1}", "it's \"quoted\"", "a\nb", "a\nb\n", "a\n\n\n", "  leading\n spaces\n", "\ttab\nx",
    "x \ny",
    "\n", "\r\n", "a\rb", "null", "~", "- x", "# no comment\n# at all", "é ü ñ 日本 한국 кот", "\u{202E}hidden\u{200B}",
    "\u{85}\u{2028}", "\u{0}\u{1}\u{7F}", "\u{FEFF}mark", "😀", "{{literal}}", "key: value\n  other: [1, 2",
    "%TAG ! x\n---\n...\n", "trailing space \n", "\\n", "'", "''\n'", String(repeating: "long ", count: 1000),
  ])
  func `a body comes back as it was`(_ text: String) throws {
    let cassette = Self.cassette(Array(text.utf8))
    let (folder, root) = try Self.saved(cassette)
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(try folder.load() == cassette)
  }

  @Test func `any bytes come back as they were`() throws {
    var random = SystemRandomNumberGenerator()
    for length in [1, 3, 40, 2047, 2048, 2049, 9000] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let cassette = Self.cassette(bytes)
      let (folder, root) = try Self.saved(cassette)
      defer { try? FileManager.default.removeItem(at: root) }
      #expect(try folder.load() == cassette, "\(bytes)")
    }
  }

  @Test func `everything that a cassette holds comes back`() throws {
    let entries: [Cassette.Entry] = [
      .init(
        request: RecordedRequest(
          method: "POST", url: "{{base}}/b", headers: [.init("Accept", "x/y")], body: Array("{\"a\":[1,2]}".utf8)),
        outcome: .failure(kind: "timeout", message: "no response within 2 s: \"why\"")),
      .init(
        request: RecordedRequest(method: "GET", url: "{{base}}/a?page=10"),
        outcome: .response(
          RecordedResponse(
            status: 304, headers: [.init("Etag", "\"x\"")], url: "{{base}}/c",
            transport: .init(encoding: "gzip", wireLength: "195")))),
      .init(
        request: RecordedRequest(method: "GET", url: "{{base}}/a?page=9"), occurrence: 2,
        outcome: .response(RecordedResponse(status: 200, body: Array("x".utf8)))),
    ]
    let cassette = Cassette(flow: "f.g", recordedAt: "2026-11-21T08:00:00Z", tool: "1", entries: entries)
    #expect(
      cassette.entries.map(\.request.line) == ["GET {{base}}/a?page=9", "GET {{base}}/a?page=10", "POST {{base}}/b"])
    let (folder, root) = try Self.saved(cassette)
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(try folder.load() == cassette)
    #expect(try folder.save(cassette, scan: SecretScan([:])) == false)
  }

  @Test(arguments: [
    (
      "cassette: 0\nflow: x\nrecorded_at: x\ntool: x\nentries: []\n",
      "cassette.yaml:1: this is not a cassette of version 1"
    ),
    ("cassette: 1\nflow: x\nrecorded_at: x\ntool: x\nentrys: []\n", "cassette.yaml:5: unknown key 'entrys'"),
    (
      "cassette: 1\nflow: x\nrecorded_at: x\ntool: x\nentries:\n  - request: \"GET {{base}}/\"\n    status: 99\n",
      "cassette.yaml:7: a number from 100 to 999 is expected here"
    ),
    (
      "cassette: 1\nflow: x\nrecorded_at: x\ntool: x\nentries:\n  - request: \"GET {{base}}/\"\n    status: 200\n    body_file: ../../etc/passwd\n",
      "cassette.yaml:8: '../../etc/passwd' leads out of the cassette's folder"
    ),
    (
      "cassette: 1\nflow: x\nrecorded_at: x\ntool: x\nentries:\n  - request: \"GET {{base}}/\"\n    status: 200\n    body_file: bodies/1.json\n",
      "bodies/1.json' is missing"
    ), ("cassette: [1\n", "cassette.yaml:"),
  ])
  func `a damaged cassette is refused with its location`(_ text: String, _ message: String) throws {
    let root = try Workspace.makeFolder("cassette")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = FixtureFolder(root: root.path, flow: "x")
    try FixtureFiles.write(Array(text.utf8), to: folder.cassettePath)
    let error = #expect(throws: FixtureError.self) { try folder.load() }
    #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
  }

  @Test func `bodies that are not used any more go`() throws {
    let (folder, root) = try Self.saved(Self.cassette([UInt8](repeating: 0x41, count: 5000)))
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(FixtureFiles.files(below: folder.path) == ["bodies/001-a.txt", "cassette.yaml"])
    try folder.save(Self.cassette([0x41]), scan: SecretScan([:]))
    #expect(FixtureFiles.files(below: folder.path) == ["cassette.yaml"])
  }

  @Test func `a recording is replaced as a whole, and its goldens stay`() throws {
    let (folder, root) = try Self.saved(Self.cassette([UInt8](repeating: 0x41, count: 5000)))
    defer { try? FileManager.default.removeItem(at: root) }
    try FixtureFiles.write(Array("{}\n".utf8), to: folder.path(FixtureFolder.decisions))
    // What a run left that was killed before it was done.
    let unfinished = root.appendingPathComponent(".\(folder.flow).recording").path
    try FixtureFiles.write([0x42], to: "\(unfinished)/bodies/001-a.txt")
    #expect(FixtureFolder.all(in: root.path).map(\.flow) == [folder.flow])
    #expect(try folder.save(Self.cassette([UInt8](repeating: 0x43, count: 6000)), scan: SecretScan([:])))
    #expect(FixtureFiles.files(below: folder.path) == ["bodies/001-a.txt", "cassette.yaml", FixtureFolder.decisions])
    #expect(try FixtureFiles.read(folder.path("bodies/001-a.txt")) == [UInt8](repeating: 0x43, count: 6000))
    #expect(!FileManager.default.fileExists(atPath: unfinished))
    #expect(try !folder.save(Self.cassette([UInt8](repeating: 0x43, count: 6000)), scan: SecretScan([:])))
  }

  @Test func `Git leaves recorded bodies as they are`() throws {
    let (folder, root) = try Self.saved(Self.cassette(Array("a\r\n".utf8)))
    defer { try? FileManager.default.removeItem(at: root) }
    let attributes = root.appendingPathComponent(".gitattributes").path
    #expect(try FixtureFiles.read(attributes) == Array("* -text\n".utf8))
    // A file of the user's own stays.
    try FixtureFiles.write(Array("*.txt eol=lf\n".utf8), to: attributes)
    try folder.save(Self.cassette([0x41]), scan: SecretScan([:]))
    #expect(try FixtureFiles.read(attributes) == Array("*.txt eol=lf\n".utf8))
  }

  @Test(arguments: [
    ("GET {{base}}/q?run=7&page=2 -> 200", "GET {{base}}/q?run=*&page=2 -> 200"),
    ("GET {{base}}/q?page=2&r%75n=7 #2 -> 200", "GET {{base}}/q?page=2&r%75n=* #2 -> 200"),
    ("GET {{base}}/q -> 200", "GET {{base}}/q -> 200"), ("GET {{base}}/q?running=7", "GET {{base}}/q?running=7"),
  ])
  func `a parameter that is not compared has no value in a golden`(_ line: String, _ shown: String) {
    #expect(RequestMatching(ignoredQuery: ["run"]).withoutIgnored(line) == shown)
    #expect(RequestMatching().withoutIgnored(line) == line)
  }

  @Test func `a recording with a secret left in it is removed whole`() throws {
    let root = try Workspace.makeFolder("cassette")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = FixtureFolder(root: root.path, flow: "shop.customers")
    let body = [UInt8](repeating: 0x41, count: 5000) + Array("hunter2-token".utf8)
    let error = #expect(throws: FixtureError.self) {
      try folder.save(Self.cassette(body), scan: SecretScan(["TOKEN": "hunter2-token"]))
    }
    #expect(error?.message.contains("'TOKEN'") ?? false)
    #expect(error?.message.contains("hunter2") == false)
    #expect(FixtureFiles.files(below: folder.path).isEmpty)
  }
}
