import Foundation
import TestSupport
import Testing

/// Exit codes: few, stable, each reached.
@Suite(.timeLimit(.minutes(2)))
struct ExitCodeTests {
  private static func file(_ flows: String) -> String {
    """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    http: { base_url: "{{ vars.base_url }}/v1", timeout: 10s }
    flows:
    \(flows.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
    """
  }

  private static let good = "good: { resource: /products, records: \"$[*]\", persistence: out/good.jsonl }"
  private static let strict = """
    strict:
      resource: /products
      records: $[*]
      prune: false
      schema: { fields: { sku: integer } }
      persistence: out/strict.jsonl
    """
  private static let tooFew = "few: { resource: /products, records: \"$[*]\", expect: { min: 99 } }"
  private static let lost = "lost: { resource: /nowhere, persistence: out/lost.jsonl }"

  struct Case: CustomTestStringConvertible {
    var name: String
    var flows: String
    var arguments = ["run"]
    var status: Int32
    var testDescription: String { "\(status): \(name)" }
  }

  static let cases = [
    Case(name: "all passed", flows: good, status: 0),
    Case(name: "a record does not fit a strict flow", flows: good + "\n" + strict, status: 1),
    Case(name: "fewer records than expected", flows: tooFew, status: 1),
    Case(name: "an unknown option", flows: good, arguments: ["run", "--frsh"], status: 2),
    Case(name: "an unknown command", flows: good, arguments: ["rnu"], status: 2),
    Case(name: "a variable that no file has", flows: good, arguments: ["run", "--var", "nope=1"], status: 2),
    Case(name: "a folder that is not there", flows: good, arguments: ["run", "nowhere"], status: 3),
    Case(name: "a file that does not load", flows: good + "\nbad: { resorce: /x }", status: 3),
    Case(name: "a file that does not load, checked", flows: "bad: { resource: [1] }", arguments: ["check"], status: 3),
    Case(name: "files that load, checked", flows: good, arguments: ["check"], status: 0),
    Case(name: "nothing selected", flows: good, arguments: ["run", "--select", "tag:none"], status: 4),
    Case(name: "the server refuses", flows: good + "\n" + lost, status: 5),
    Case(name: "a refusal weighs more than a failed check", flows: strict + "\n" + lost, status: 5),
  ]

  @Test(arguments: cases)
  func `the exit code says how it went`(_ case: Case) async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.file(`case`.flows), to: "flows/a.yaml")
    let outcome = try await workspace.start(`case`.arguments, environment: server.environment).end()
    #expect(outcome.status == `case`.status, "\(outcome.stdout)\n\(outcome.stderr)")
    if `case`.status != 0 { #expect(!outcome.stderr.isEmpty, "an error must say something on stderr") }
    if [2, 3, 4].contains(`case`.status) {
      #expect(try await server.requests().isEmpty, "nothing may run")
      #expect(workspace.files() == ["flows/a.yaml"])
    } else if `case`.arguments == ["run"], `case`.flows.contains(Self.good) {
      #expect(try Records.lines(workspace.text("out/good.jsonl")).count == 5, "one bad flow harms another")
    }
  }

  @Test func `a host that is not there is an error of that flow`() async throws {
    let workspace = try Workspace()
    try workspace.write(Self.file(Self.good), to: "flows/a.yaml")
    let outcome = try await workspace.reactor("run", "--format", "json")
    #expect(outcome.status == 5)
    #expect(try Summary(outcome).flow("good").status == "error")
    #expect(outcome.seconds < 10)
  }

  @Test func `a result that cannot be written is 74 and named`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    // A file stands where the folder should be: this fails for root too.
    try workspace.write("in the way", to: "out")
    try workspace.write(Self.file(Self.good), to: "flows/a.yaml")
    let outcome = try await workspace.reactor("run", environment: server.environment)
    #expect(outcome.status == 74)
    #expect(outcome.stderr.contains("out"), "\(outcome.stderr)")
    #expect(workspace.text("out") == "in the way")
  }

  @Test func `a full disk behind stdout is 74`() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      print("skipped: there is no /dev/full")
      return
    }
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.file(Self.good), to: "flows/a.yaml")
    let outcome = try await workspace.shell(
      #""$REACTOR" run --format json >/dev/full"#, environment: server.environment)
    #expect(outcome.status == 74, "\(outcome.stderr)")
    #expect(try Records.lines(workspace.text("out/good.jsonl")).count == 5)
  }

  @Test func `a reader that goes away changes nothing but the reading`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    let many = (0..<200).map { "f\($0): { resource: /products, records: \"$[*]\", persistence: out/\($0).jsonl }" }
    try workspace.write(Self.file(many.joined(separator: "\n")), to: "flows/a.yaml")
    // The status of the first command of the pipe goes to a file: plain sh has no PIPESTATUS.
    let outcome = try await workspace.shell(
      #"( "$REACTOR" run -v; echo $? >status ) | head -n 1"#, environment: server.environment)
    #expect(outcome.stdout.split(separator: "\n").count == 1)
    #expect(workspace.text("status") == "0\n", "\(outcome.stderr)")
    #expect(workspace.files().filter { $0.hasPrefix("out/") }.count == 200)
  }

  @Test func `stdout that is closed from the start does no harm`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.file(Self.good), to: "flows/a.yaml")
    _ = try await workspace.shell(#""$REACTOR" run >&- 2>&-"#, environment: server.environment)
    #expect(try Records.lines(workspace.text("out/good.jsonl")).count == 5)
  }
}
