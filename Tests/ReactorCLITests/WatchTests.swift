import Foundation
import ReactorCLI
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `reactor watch` beside an editor: a real process, real files, and no server.
@Suite(.timeLimit(.minutes(2))) struct WatchTests {
  private static let flows = """
    reactor: 1
    http: { base_url: https://api.example.com }
    flows:
      products:
        resource: /products
        records: $.data[*]
        schema: product
        persistence: out/products.csv
      stock:
        resource: /stock
        schema: { key: sku, fields: { sku: string, left: integer } }

    """
  private static let schema = """
    reactor: 1
    schemas:
      product: { key: sku, fields: { sku: string, name: string, price: decimal } }

    """
  private static let cassette = """
    cassette: 1
    flow: "shop.products"
    recorded_at: "2026-11-21T12:04:09Z"
    tool: "0.1.0"
    entries:
      - request: "GET {{base}}/products"
        status: 200
        headers:
          - "Content-Type: application/json"
        body: '{"data":[{"sku":"TEA-1","name":"Sencha","price":"7.45"},{"sku":"CUP-9","name":"Cup, small","price":"5.00"},{"sku":"POT-3","name":"Teapot","price":"24.90"},{"sku":"A","name":"a","price":"1"},{"sku":"B","name":"b","price":"2"},{"sku":"C","name":"c","price":"three"},{"sku":"D","name":"d","price":"4"}]}'

    """

  private static func bench() throws -> Workbench {
    try Workbench([
      "flows/shop.yaml": flows, "schemas/shop.yaml": schema, "fixtures/shop.products/cassette.yaml": cassette,
      "tmp/here": "",
    ])
  }

  /// The program while it watches; what it prints goes to a file.
  private final class Watching {
    private let process = Process()
    private let bench: Workbench
    private var seen = 0

    init(_ bench: Workbench, _ arguments: [String]) throws {
      self.bench = bench
      process.executableURL = ProcessTests.binary
      process.arguments = ["watch"] + arguments
      process.currentDirectoryURL = bench.folder
      process.environment = ["TMPDIR": bench.path("tmp")]
      try Data().write(to: URL(fileURLWithPath: bench.path("printed")))
      let output = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path("printed")))
      process.standardOutput = output
      process.standardError = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    var all: String { (try? String(contentsOfFile: bench.path("printed"), encoding: .utf8)) ?? "" }

    /// Waits for a result that has a text and was printed after the last one that was waited for.
    @discardableResult
    func wait(_ text: String) async throws -> String {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        let new = String(decoding: Array(all.utf8).dropFirst(seen), as: UTF8.self)
        if new.contains(text), new.hasSuffix("\n\n") {
          seen = all.utf8.count
          return new
        }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("'\(text)' was never printed:\n\(all)")
      return ""
    }

    /// Ends the program as Ctrl-C does; returns its exit code.
    func end() async throws -> Int32 {
      kill(process.processIdentifier, SIGINT)
      while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      return process.terminationStatus
    }
  }

  /// Every file of the project with its content.
  private func files(_ bench: Workbench) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path) where name != "printed" {
      if let data = FileManager.default.contents(atPath: bench.path(name)) { files[name] = data }
    }
    return files
  }

  /// Saves as vim and VS Code do: a new file takes the place of the old one.
  private func replace(_ bench: Workbench, _ name: String, _ text: String) throws {
    try bench.write(text, to: name + "~")
    #expect(rename(bench.path(name + "~"), bench.path(name)) == 0)
  }

  /// Saves in place.
  private func overwrite(_ bench: Workbench, _ name: String, _ text: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: bench.path(name)))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test func `each save shows the problems or the first records, however the editor saves`() async throws {
    let bench = try Self.bench()
    let watching = try Watching(bench, ["flows/shop.yaml"])
    try await watching.wait("shop.stock  no recording yet\n     = help: reactor record -s shop.stock")
    let before = try files(bench)
    try replace(bench, "flows/shop.yaml", Self.flows.replacing("records:", with: "record:"))
    try await watching.wait("did you mean 'records'?")
    try overwrite(bench, "flows/shop.yaml", Self.flows)
    try await watching.wait("\"Sencha\"")
    // The schema is another file, which the flow file refers to.
    try overwrite(
      bench, "schemas/shop.yaml",
      Self.schema.replacing("name: string", with: "name: { value: \"{{ upper(source.name) }}\", type: string }"))
    try await watching.wait("* {\"sku\":\"TEA-1\",\"name\":\"SENCHA\",\"price\":\"7.45\"}")
    try FileManager.default.removeItem(atPath: bench.path("flows/shop.yaml"))
    try await watching.wait("waiting for 'flows/shop.yaml'")
    try replace(bench, "flows/shop.yaml", Self.flows.replacing("$.data[*]", with: "$.data[0]"))
    try await watching.wait("shop.products  1 record  5 fewer")
    try replace(bench, "flows/shop.yaml", Self.flows)
    try await watching.wait("5 new or changed")
    // A recording that is made meanwhile.
    try bench.write(
      Self.cassette.replacing("shop.products", with: "shop.stock").replacing("/products", with: "/stock")
        .replacing(/body: .*/, with: #"body: '[{"sku":"TEA-1","left":3}]'"#),
      to: "fixtures/shop.stock/cassette.yaml")
    try await watching.wait("{\"sku\":\"TEA-1\",\"left\":3}")
    #expect(try await watching.end() == 0)
    // No result, no golden, no history; and nothing stays in the temporary folder.
    try FileManager.default.removeItem(atPath: bench.path("fixtures/shop.stock"))
    try overwrite(bench, "schemas/shop.yaml", Self.schema)
    var after = try files(bench)
    #expect(Set(after.keys) == Set(before.keys))
    after["flows/shop.yaml"] = before["flows/shop.yaml"]
    #expect(after == before)
    try Transcript.check(watching.all, "watch.txt")
  }

  @Test func `a folder is watched with the files that come to it`() async throws {
    let bench = try Self.bench()
    let watching = try Watching(bench, [])
    try await watching.wait("Sencha")
    try bench.write(Workbench.flows("later"), to: "flows/more.yaml")
    try await watching.wait("more.later")
    // A file that is no flow file changes nothing, so the next result is that of the removal.
    try bench.write("x", to: "flows/.shop.yaml.swp")
    try FileManager.default.removeItem(atPath: bench.path("flows/more.yaml"))
    #expect(!(try await watching.wait("Sencha")).contains("more.later"))
    #expect(watching.all.components(separatedBy: "shop.products  ").count == 4)
    #expect(try await watching.end() == 0)
  }

  @Test func `every kind of save changes the stamp of a file`() throws {
    let bench = try Workbench(["a.yaml": "one", "b.yaml": "two"])
    let paths: Set = [bench.path("a.yaml"), bench.path("b.yaml"), bench.path("c.yaml")]
    var stamps = [FileStamps(of: paths)]
    #expect(stamps[0] == FileStamps(of: paths) && !stamps[0].isEmpty)
    #expect(FileStamps(of: [bench.path("c.yaml")]).isEmpty)
    // As long as before, and with the same time.
    let time = try #require(
      FileManager.default.attributesOfItem(atPath: bench.path("a.yaml"))[.modificationDate] as? Date)
    try bench.write("six", to: "new")
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: bench.path("new"))
    #expect(rename(bench.path("new"), bench.path("a.yaml")) == 0)
    stamps.append(FileStamps(of: paths))
    try overwrite(bench, "b.yaml", "three")
    stamps.append(FileStamps(of: paths))
    try bench.write("", to: "c.yaml")
    stamps.append(FileStamps(of: paths))
    try FileManager.default.removeItem(atPath: bench.path("a.yaml"))
    stamps.append(FileStamps(of: paths))
    #expect(Set(stamps).count == 5)
  }

  @Test(arguments: [80, 40])
  func `on a terminal each result takes the place of the last one`(width: Int) async throws {
    let bench = try Self.bench()
    let command = "\(ProcessTests.binary.path) watch flows/shop.yaml"
    guard
      let terminal = try TmuxTerminal(bench, width: width, height: 14, environment: TerminalTests.utf8, command)
    else { return }
    var screen = try await terminal.wait { $0.contains("no recording yet") }
    // One record of seven is rejected; five are shown, each on one line.
    #expect(screen.contains("Ctrl-C ends") && screen.contains("and 1 more"), "\(screen)")
    let records = screen.split(separator: "\n").filter { $0.contains("\"sku\"") }
    #expect(records.count == 5 && records[0].contains("…") == (width == 40), "\(screen)")
    try bench.write(Self.flows.replacing("records:", with: "record:"), to: "flows/shop.yaml")
    screen = try await terminal.wait { $0.contains("did you mean 'records'?") }
    #expect(!screen.contains("Sencha") && screen.components(separatedBy: "Ctrl-C").count == 2, "\(screen)")
    // More than the screen has is not shown, and not scrolled out at the top.
    let wrong = Self.flows.replacing("schema", with: "schemas").replacing("resource", with: "res")
    try bench.write(wrong, to: "flows/shop.yaml")
    screen = try await terminal.wait { $0.contains("more lines") }
    #expect(screen.split(separator: "\n").count <= 14 && screen.contains("Ctrl-C ends"), "\(screen)")
    try terminal.call(["send-keys", "C-c"])
    let end = ContinuousClock.now + .seconds(30)
    while !FileManager.default.fileExists(atPath: bench.path("ended")), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try String(contentsOfFile: bench.path("ended"), encoding: .utf8) == "ended 0\n")
  }

  @Test func `there is no JSON`() async throws {
    let outcome = try await Self.bench().run(["watch", "--format", "json"])
    #expect(outcome.code == 2 && outcome.err.contains("reactor check --format json"))
  }
}
