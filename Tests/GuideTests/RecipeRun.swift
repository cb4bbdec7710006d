import Foundation
import TestSupport
import Testing

/// A recipe done in a folder of its own, against a server of its own.
struct RecipeRun {
  /// The name under which pages know the server.
  static let publicURL = "https://api.example.com"

  /// The name under which pages know the database.
  static let publicDatabase = "postgresql://reactor@db.example.com/state"

  let page: GuidePage
  let recipe: GuidePage.Recipe
  let workspace: Workspace
  let service: GuideService
  private let programs: URL
  /// What stood on the screen, all sessions together, as the page would show it.
  private(set) var screen = ""
  /// The exit code of the last command.
  private(set) var status: Int32 = 0
  /// Blocks whose text is not what came out, with what did.
  private(set) var differences: [(lines: Range<Int>, text: String)] = []
  private var environment: [String: String] = [:]
  /// The database of the recipe, once it has one.
  private var server: PostgreSQLServer?

  init(_ recipe: GuidePage.Recipe, of page: GuidePage) throws {
    self.page = page
    self.recipe = recipe
    workspace = try Workspace()
    service = try GuideService(page: page.name)
    programs = try Workspace.makeFolder("programs")
    let program = URL(fileURLWithPath: try Repository.program("reactor"))
    try FileManager.default.createSymbolicLink(
      at: programs.appendingPathComponent("reactor"), withDestinationURL: program)
  }

  /// Does all its steps; what differs is remembered, and told unless snapshots are recorded.
  mutating func run(isRecording: Bool = Self.isRecording) async throws {
    defer {
      service.server.stop()
      try? FileManager.default.removeItem(at: programs)
    }
    for step in recipe.steps {
      switch step {
      case .file(let name, let isResult, let text, let lines):
        if isResult {
          let found = workspace.text(name).map(shown)
          compare(found ?? "(there is no such file)\n", with: text, lines, "\(name)", isRecording)
        } else {
          try workspace.write(text.replacing(Self.publicURL, with: service.server.url), to: name)
        }
      case .session(let text, let lines):
        compare(try await session(text), with: text, lines, "the session", isRecording)
      case .event(let event): service.happen(event)
      case .source(let name, let text):
        let source = try String(contentsOf: Repository.root.appendingPathComponent(name), encoding: .utf8)
        #expect(source.contains(text), "\(location(0..<0)): the text is not in \(name)")
      case .idle(let info):
        Issue.record(
          "\(location(0..<0)): nothing runs the block '\(info)': give it a file's name, or make it a console")
      }
    }
  }

  static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" }

  private mutating func database() throws -> PostgreSQLServer {
    if let server { return server }
    let started = try PostgreSQLServer()
    server = started
    return started
  }

  // MARK: - Sessions

  /// The commands of a session run, with what comes out of each.
  private mutating func session(_ text: String) async throws -> String {
    var result = ""
    for line in text.split(separator: "\n") where line.hasPrefix("$ ") {
      result += line + "\n"
      let command = String(line.dropFirst(2))
      if let assignment = command.wholeMatch(of: /export (\w+)=(\S*)/) {
        let value = String(assignment.2)
        environment[String(assignment.1)] =
          value == Self.publicDatabase
          ? try database().url : value.replacing(Self.publicURL, with: service.server.url)
        continue
      }
      var environment = environment
      environment["PATH"] = programs.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      let line = command.replacing(Self.publicURL, with: service.server.url)
      // Both streams in one, as a terminal shows them.
      let outcome = try await workspace.shell("{ \(line); } 2>&1", environment: environment)
      status = outcome.status
      var output = shown(outcome.stdout)
      if !output.isEmpty, !output.hasSuffix("\n") { output += "\n" }
      screen += output
      result += output
      if status != 0 { result += "(exit code \(status))\n" }
    }
    return result
  }

  /// A text with the server's public name, and no folder of this test.
  private func shown(_ text: String) -> String {
    text.replacing(service.server.url, with: Self.publicURL)
      .replacing(service.server.url.dropFirst(7), with: Self.publicURL.dropFirst(8))
      .replacing(workspace.folder.path, with: ".")
      // CSV ends its lines as RFC 4180 says; a page has one kind of line end.
      .replacing("\r\n", with: "\n")
  }

  // MARK: - Comparison

  private mutating func compare(
    _ found: String, with text: String, _ lines: Range<Int>, _ what: String, _ isRecording: Bool
  ) {
    guard Self.timeless(found) != Self.timeless(text) else { return }
    differences.append((lines, found))
    if !isRecording {
      Issue.record(
        "\(location(lines)): \(what) is not what came out (RECORD_SNAPSHOTS=1 writes it into the page):\n\(found)")
    }
  }

  /// Times, which no two runs share, made equal: durations, and moments from 2025 on (the pages' data are older).
  static func timeless(_ text: String) -> String {
    text.replacing(/[0-9]+\.[0-9]+ ?s\b/, with: "0.000s")
      .replacing(/persisted [0-9]+ (?:s|min|hours?|days?) ago/, with: "persisted 0 s ago")
      .replacing(/20(?:2[5-9]|[3-9][0-9])-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\.[0-9]+)?Z/, with: "(now)")
  }

  private func location(_ lines: Range<Int>) -> String { "\(page.path):\(max(lines.lowerBound, recipe.line))" }
}
