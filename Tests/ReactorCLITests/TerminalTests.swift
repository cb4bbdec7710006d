import Foundation
import ReactorCLI
import RunViews
import Testing
import TestSupport

/// The progress display in a real terminal, asked what stands on its screen.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TerminalTests {
  /// Answers `/now…` at once and everything else when it is opened.
  final class Gate: Sendable {
    private let condition = NSCondition()
    nonisolated(unsafe) private var isOpen = false

    func open() {
      condition.withLock { isOpen = true }
      condition.broadcast()
    }

    func wait() {
      condition.lock()
      while !isOpen { condition.wait() }
      condition.unlock()
    }
  }

  private func flows(_ server: ScriptedServer, _ names: [String]) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    flows:
    \(names.map { "  \($0): { resource: /\($0), reachability: false, records: \"$[*]\", persistence: out/\($0).jsonl }" }.joined(separator: "\n"))

    """
  }

  private static func server(_ gate: Gate) throws -> ScriptedServer {
    try ScriptedServer { request in
      if !request.target.hasPrefix("/now") { gate.wait() }
      let body = "[{\"id\":1},{\"id\":2}]"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  static let utf8 = ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"]
  static let run = "\(ProcessTests.binary.path) run flows"

  @Test(arguments: [40, 80, 200])
  func `progress stands below the lines while flows run and is gone at the end`(width: Int) async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let bench = try Workbench(["flows/shop.yaml": flows(server, ["now_1", "slow_1", "slow_2", "now_2"])])
    guard let terminal = try TmuxTerminal(bench, width: width, environment: Self.utf8, Self.run + " --no-timing") else {
      return
    }
    let during = try await terminal.wait {
      // The line of a flow is written after the bar that counts it.
      $0.contains("2/4") && $0.contains("shop.now_1") && $0.contains("shop.slow_2") && $0.contains("░")
    }
    let lines = during.split(separator: "\n")
    #expect(lines.first?.contains("shop.now_1") == true, "\(during)")
    #expect(during.contains("request"), "\(during)")
    if width >= 80 { #expect(during.contains("2 running") && during.contains("4 rec"), "\(during)") }
    gate.open()
    let after = try await terminal.wait { $0.contains("4 flows: 4 passed") }
    #expect(!after.contains("░") && !after.contains("█") && !after.contains("running"), "\(after)")
    let ids = after.split(separator: "\n").filter { $0.hasPrefix("✓") }.map { $0.split(separator: " ")[1] }
    #expect(ids == ["shop.now_1", "shop.slow_1", "shop.slow_2", "shop.now_2"], "\(after)")
    #expect(after.components(separatedBy: "shop.slow_1").count == 2, "\(after)")
  }

  @Test func `the flow that runs longest comes first, and the time left is that of earlier runs`() async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let names = ["now_1", "slow_1", "slow_2"]
    let bench = try Workbench(["flows/shop.yaml": flows(server, names)])
    var entries = names.map {
      HistoryEntry(run: "r", flow: "shop.\($0)", status: .passed, started: "2026-01-01T00:00:00Z")
    }
    for index in entries.indices { (entries[index].duration, entries[index].source) = (600_000, "network") }
    try RunHistory.append(entries, root: bench.folder.path)
    let command = Self.run + " --no-timing -j 2"
    guard let terminal = try TmuxTerminal(bench, width: 100, environment: Self.utf8, command) else { return }
    let during = try await terminal.wait { $0.contains("left") }
    // Each flow takes ten minutes, both at the same time.
    #expect(during.contains("~9:5") && during.contains("usually 10:00"), "\(during)")
    let lines = during.split(separator: "\n").filter { $0.contains("usually") }
    #expect(lines.count == 2 && lines[0].contains("shop.slow_1") && lines[1].contains("shop.slow_2"), "\(during)")
    gate.open()
    _ = try await terminal.wait { $0.contains("3 flows: 3 passed") }
  }

  @Test func `a resize leaves one bar, and nothing of it at the end`() async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    // More lines than the screen has: what a narrower terminal wraps pushes its top rows out of reach, and these are not
    // the display's then.
    let names = (1...40).map { "now_\($0)" } + ["slow_1", "slow_2", "slow_3"]
    let bench = try Workbench(["flows/shop.yaml": flows(server, names)])
    guard let terminal = try TmuxTerminal(bench, width: 120, environment: Self.utf8, Self.run + " --no-timing") else {
      return
    }
    _ = try await terminal.wait { $0.contains("40/43") && $0.contains("shop.slow_3") }
    for width in [50, 30, 90, 41, 160, 25] {
      try await terminal.resize(through: [width])
      // Drawn anew for this width: the bar is a quarter of it.
      let length = min(max((width - 1) / 4, 6), 30)
      let full = length * 40 / 43
      let bar = String(repeating: "█", count: full) + String(repeating: "░", count: length - full)
      let screen = try await terminal.wait { $0.contains("\n\(bar)  40/43") }
      #expect(screen.components(separatedBy: "40/43").count == 2, "\(width):\n\(screen)")
      #expect(screen.components(separatedBy: "shop.now_1 ").count == 2, "\(width):\n\(screen)")
      #expect(Self.spinners(screen) == 3, "\(width):\n\(screen)")
    }
    try await terminal.resize(through: [100])
    gate.open()
    let after = try await terminal.wait { $0.contains("43 flows: 43 passed") }
    #expect(!after.contains("░") && !after.contains("█"), "\(after)")
    #expect(after.split(separator: "\n").count { $0.hasPrefix("✓") } == 43, "\(after)")
  }

  private static let signs = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

  /// Lines of flows that run; none of the signs stands anywhere else.
  private static func spinners(_ screen: String) -> Int { screen.count(where: signs.contains) }

  @Test(arguments: [[200, 80, 40, 120], [120, 100, 80, 60, 50, 45, 40, 41, 60, 90, 200], [80, 40, 80, 40, 80]])
  func `dragging the edge leaves nothing behind, on the screen or above it`(widths: [Int]) async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    // Ids that make the lines of flows wrap at 40 columns, below more lines than the screen has.
    let names = (1...40).map { "now_\($0)" } + (10...19).map { "slow_\($0)_xxxxxxx" }
    let bench = try Workbench(["flows/shop.yaml": flows(server, names)])
    let command = Self.run + " --no-timing -j 10 --max-per-host 10"
    guard let terminal = try TmuxTerminal(bench, width: widths[0], height: 24, environment: Self.utf8, command) else {
      return
    }
    _ = try await terminal.wait { $0.contains("40/50") && $0.contains(" more") }
    // In a hurry the program hears of the last width alone.
    try await terminal.resize(through: widths, 24)
    for width in [widths[widths.count - 1]] + widths {
      try await terminal.resize(through: [width], 24)
      let length = min(max((width - 1) / 4, 6), 30)
      let full = length * 40 / 50
      let bar = String(repeating: "█", count: full) + String(repeating: "░", count: length - full)
      let screen = try await terminal.wait { $0.contains("\n\(bar)  40/50") && $0.contains(" more") }
      // The lines of flows and the summary of the others make the ten that run.
      let left = screen.matches(of: /and (\d+) more/).compactMap { Int($0.output.1) }
      #expect(left.count == 1 && Self.spinners(screen) + (left.first ?? 0) == 10, "\(width):\n\(screen)")
      #expect(Self.spinners(screen) >= 2, "\(width):\n\(screen)")
      #expect(screen.components(separatedBy: "40/50").count == 2, "\(width):\n\(screen)")
      #expect(screen.matches(of: /shop\.now_40\b/).count == 1, "\(width):\n\(screen)")
    }
    gate.open()
    let after = try await terminal.wait { $0.contains("50 flows: 50 passed") }
    #expect(Self.spinners(after) == 0 && !after.contains("░") && !after.contains("█"), "\(after)")
    #expect(after.split(separator: "\n").count { $0.hasPrefix("✓") } == 50, "\(after)")
  }

  @Test func `a thousand flows keep to the screen and leave a line each`() async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let names = (0..<500).map { "now_\($0)" } + (0..<20).map { "slow_\($0)" } + (500..<980).map { "now_\($0)" }
    let bench = try Workbench(["flows/many.yaml": flows(server, names)])
    let command = Self.run + " --no-timing -j 12 --max-per-host 12"
    guard let terminal = try TmuxTerminal(bench, width: 80, height: 24, environment: Self.utf8, command) else { return }
    let during = try await terminal.wait { $0.contains("500/1000") && $0.contains("and 5 more") }
    #expect(Self.spinners(during) == 7, "\(during)")
    gate.open()
    let after = try await terminal.wait { $0.contains("1000 flows: 1000 passed") }
    #expect(after.split(separator: "\n").count { $0.hasPrefix("✓ ") } == 1000)
    #expect(!after.contains("░"))
  }

  @Test(arguments: [
    ("C", ["LC_ALL": "C"]), ("NO_COLOR", ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"]),
    ("dumb", ["LC_ALL": "C", "TERM": "dumb"]),
  ])
  func `without UTF-8, colours or a cursor the display is plainer`(name: String, environment: [String: String])
    async throws
  {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let bench = try Workbench(["flows/shop.yaml": flows(server, ["now_1", "slow_1"])])
    guard let terminal = try TmuxTerminal(bench, width: 80, environment: environment, Self.run + " --no-timing") else {
      return
    }
    try terminal.call(["pipe-pane", "-o", "cat > '\(bench.path("raw"))'"])
    let during = try await terminal.wait { $0.contains("shop.now_1") && (name == "dumb" || $0.contains("1/2")) }
    if name != "NO_COLOR" { #expect(during.unicodeScalars.allSatisfy { $0.isASCII }, "\(during)") }
    if name == "C" { #expect(during.contains("[#########"), "\(during)") }
    if name == "dumb" { #expect(!during.contains("1/2"), "\(during)") }
    gate.open()
    let after = try await terminal.wait { $0.contains("2 flows: 2 passed") }
    #expect(!after.contains("1/2"), "\(after)")
    let raw = String(decoding: try Data(contentsOf: URL(fileURLWithPath: bench.path("raw"))), as: UTF8.self)
    if name != "C" { #expect(!raw.contains("\u{1B}[32m") && !raw.contains("\u{1B}[1;31m"), "\(raw)") }
    if name == "dumb" { #expect(!raw.contains("\u{1B}"), "\(raw)") }
  }

  /// A terminal that is being dragged shows many widths for a moment; tmux wraps what is drawn at once and tells a width
  /// up to 250 ms later.
  @Test func `a width that stands for a moment only is not drawn for`() async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let bench = try Workbench(["flows/shop.yaml": flows(server, ["slow_1"])])
    let terminal = try PseudoTerminal(width: 122)
    let program = try terminal.start(ProcessTests.binary.path, ["run", "flows"], in: bench.folder, Self.utf8)
    defer { program.terminate() }
    // The bar is a quarter of the width, and none of the one flow has ended.
    func drawn(_ width: Int) -> Bool {
      terminal.text.split(whereSeparator: { $0 != "░" }).contains { $0.count == (width - 1) / 4 }
    }
    func wait(_ width: Int) async throws {
      let end = ContinuousClock.now + .seconds(30)
      while !drawn(width), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
      try #require(drawn(width), "\(width): \(terminal.text)")
    }
    try await wait(122)
    // On a machine that halts, the width lasts too long for the test; the next width is tried then.
    for moment in stride(from: 30, to: 70, by: 4) {
      let start = ContinuousClock.now
      terminal.width = moment
      try await Task.sleep(for: .milliseconds(150))
      terminal.width = moment + 42
      let took = ContinuousClock.now - start
      try await wait(moment + 42)
      guard took < .milliseconds(250) else { continue }
      #expect(!drawn(moment), "\(moment) stood for \(took): \(terminal.text)")
      return
    }
    Issue.record("no width stood for less than 250 ms: this machine halts too often")
  }

  @Test func `it is drawn at most ten times a second`() async throws {
    let gate = Gate()
    let server = try Self.server(gate)
    defer {
      gate.open()
      server.stop()
    }
    let bench = try Workbench(["flows/shop.yaml": flows(server, ["slow_1"])])
    guard let terminal = try TmuxTerminal(bench, width: 80, environment: ["LC_ALL": "C"], Self.run) else { return }
    _ = try await terminal.wait { $0.contains("0/1") }
    try terminal.call(["pipe-pane", "-o", "cat > '\(bench.path("raw"))'"])
    let start = ContinuousClock.now
    _ = try await terminal.wait { _ in ContinuousClock.now - start > .seconds(2) }
    try terminal.call(["pipe-pane"])
    let took = ContinuousClock.now - start
    let raw = String(decoding: try Data(contentsOf: URL(fileURLWithPath: bench.path("raw"))), as: UTF8.self)
    let drawn = raw.components(separatedBy: "0/1").count - 1
    #expect(drawn >= 3)
    #expect(Double(drawn) <= (Double(took.components.seconds) + 1.2) * 10, "\(drawn) in \(took)")
  }
}
