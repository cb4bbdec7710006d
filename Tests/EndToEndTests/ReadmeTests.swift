import Foundation
import TestSupport
import Testing

/// What the README tells a newcomer to do, done.
@Suite(.timeLimit(.minutes(2)))
struct ReadmeTests {
  /// The fenced blocks of the README by the name in the comment before them: `<!-- example: NAME -->`.
  private static func example(_ name: String) throws -> String {
    let text = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "<!-- example: \(name) -->\n")
    try #require(parts.count == 2, "the README has no example '\(name)', or several")
    let lines = parts[1].components(separatedBy: "\n")
    let end = try #require(lines.dropFirst().firstIndex { $0.hasPrefix("```") })
    return lines[1..<end].joined(separator: "\n") + "\n"
  }

  @Test func `the first flow of the README runs and gives the records it shows`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.example("first flow"), to: "flows/tea.yaml")
    let outcome = try await workspace.reactor("run", environment: server.environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(workspace.text("out/tea.jsonl") == (try Self.example("first result")))
  }

  @Test func `the mistake of the README is found at its source location without a request`() async throws {
    let workspace = try Workspace()
    let flow = try Self.example("first flow").replacingOccurrences(of: "schema:", with: "shcema:")
    try workspace.write(flow, to: "flows/tea.yaml")
    let outcome = try await workspace.reactor("check")
    #expect(outcome.status == 3)
    #expect(outcome.stderr.contains("flows/tea.yaml:"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("shcema"))
    #expect(outcome.stderr.contains("schema"))
    #expect(workspace.files() == ["flows/tea.yaml"])
  }

  @Test func `every shipped flow passes the check`() async throws {
    let workspace = try Workspace()
    let outcome = try await workspace.reactor("check", Repository.flows.path)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(workspace.files(hidden: true).isEmpty)
  }

  @Test func `every flag of the page of the command line is one that the program knows`() async throws {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/reference/command-line.md"), encoding: .utf8)
    let flags = Set(text.matches(of: /^\| `(?:-[a-zA-Z], )?(--[a-z-]+)/.anchorsMatchLineEndings()).map { String($0.1) })
    #expect(flags.count > 8, "the table of flags was not found")
    var help = ""
    for command in ["run", "export"] { help += try await Workspace().reactor("help", command).stdout }
    for flag in flags.sorted() { #expect(help.contains(flag), "\(flag) is in no help") }
  }
}
