import BatchRunner
import FlowCompiler
import FlowSpec
import Foundation
import ReactorCore
import SourceDiagnostics
import Storage
import Synchronization
import TestSupport
import Testing

@testable import ReactorCLI

/// The plan that one run leaves to the next: taken for the very same inputs, and for no others.
@Suite struct RememberedPlanTests {
  private static func flow(_ number: Int) -> RememberedFlow {
    RememberedFlow(
      id: "shop.f\(number)", file: "flows/shop.yaml", line: number, host: "http://127.0.0.1:1",
      outputPath: "out/f\(number).json", rejectedPath: number % 3 == 0 ? "bad/ö\(number).jsonl" : nil, timeout: 30.5,
      toleratesSaveFailure: number % 2 == 0, resourceKey: UInt64(number) << 40, schema: .max,
      expiresAfter: number % 5 == 0 ? nil : Double(number))
  }

  private static func plan(_ count: Int) -> RememberedPlan {
    RememberedPlan(
      key: 0x1234_5678_9ABC_DEF0,
      questions: [
        LoaderQuestion(kind: .names, path: "flows/schemas", answer: 7),
        LoaderQuestion(kind: .bytes, path: "flows/schemas/a.yaml", answer: .max),
      ], flows: (0..<count).map(flow))
  }

  @Test(arguments: [0, 1, 30]) func `its bytes give it back`(_ count: Int) {
    let plan = Self.plan(count)
    #expect(RememberedPlan(plan.bytes, key: plan.key) == plan)
    #expect(RememberedPlan(plan.bytes, key: plan.key + 1) == nil)
  }

  @Test func `bytes that were cut, lengthened or changed are no plan`() {
    let plan = Self.plan(5)
    let bytes = plan.bytes
    for length in 0..<bytes.count { #expect(RememberedPlan(Array(bytes[..<length]), key: plan.key) == nil) }
    #expect(RememberedPlan(bytes + [0], key: plan.key) == nil)
    for place in bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var changed = bytes
        changed[place] ^= change
        #expect(RememberedPlan(changed, key: plan.key) == nil)
      }
    }
  }

  @Test func `forged bytes with a right hash are read or refused, and no more`() {
    let plan = Self.plan(5)
    let body = plan.bytes.dropLast(8)
    var taken = 0
    for place in 0..<body.count - 8 {
      for word: UInt64 in [0, 1, 0xFF, 1 << 32, .max >> 1, .max, Double.nan.bitPattern, (-1.0).bitPattern] {
        var forged = Array(body)
        withUnsafeBytes(of: word.littleEndian) { forged.replaceSubrange(place..<place + 8, with: $0) }
        withUnsafeBytes(of: ContentHash.of(forged).littleEndian) { forged += $0 }
        guard let read = RememberedPlan(forged, key: plan.key) else { continue }
        taken += 1
        #expect(read.flows.allSatisfy { $0.timeout >= 0 && $0.timeout < 1e10 })
      }
    }
    #expect(taken > 0)
  }

  // MARK: - Runs

  /// An assembly that notes which way its flows came.
  private final class Ways: Sendable {
    enum Way: Equatable {
      case read
      case remembered([String])
    }

    let taken = Mutex<[Way]>([])
    let isDue = Mutex(false)

    /// The ways since the last call.
    var news: [Way] {
      taken.withLock { ways in
        defer { ways = [] }
        return ways
      }
    }
  }

  private struct NotingAssembly: FlowAssembly {
    let ways: Ways

    func prepareRequests() {}

    func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows {
      ways.taken.withLock { $0.append(.read) }
      var assembled = FakeAssembly().assemble(flows, order)
      assembled.remembered = {
        flows.map { flow in
          RememberedFlow(
            id: flow.id, file: flow.range.file.path, line: flow.range.start.line, host: "http://127.0.0.1:1",
            outputPath: "out/\(flow.name).json", rejectedPath: nil, timeout: 30, toleratesSaveFailure: false,
            resourceKey: 1, schema: 2, expiresAfter: nil)
        }
      }
      return assembled
    }

    func answer(_ flows: [RememberedFlow], _ order: AssemblyOrder) async -> AssembledFlows? {
      if ways.isDue.withLock({ $0 }) { return nil }
      ways.taken.withLock { $0.append(.remembered(flows.map(\.id))) }
      return AssembledFlows(
        flows: flows.map {
          RunnableFlow(
            id: $0.id, file: $0.file, line: $0.line, host: $0.host, path: $0.outputPath, timeout: .seconds($0.timeout),
            persisted: FlowResult(source: .persistence, records: 3))
        })
    }
  }

  private static func text(_ count: Int = 100, top: String = "") -> String {
    "reactor: 1\n\(top)http: { base_url: \"http://127.0.0.1:1\" }\nflows:\n"
      + (0..<count).map { "  f\($0): { resource: /\($0), tags: [t], persistence: out/f\($0).json }\n" }.joined()
  }

  private let bench: Workbench
  private let ways = Ways()

  init() throws { bench = try Workbench(["flows/shop.yaml": Self.text()]) }

  private var root: String { bench.path("root") }

  @discardableResult
  private func run(_ more: String..., environment: [String: String] = [:]) async throws -> Workbench.Outcome {
    try await bench.run(
      ["run", bench.path("flows/shop.yaml"), "--root", root] + more, environment: environment,
      NotingAssembly(ways: ways))
  }

  private static let all = (0..<100).map { "shop.f\($0)" }

  @Test func `the second run of the same files reads none of them, and ends as the first`() async throws {
    let first = try await run()
    #expect(ways.news == [.read])
    let second = try await run()
    #expect(ways.news == [.remembered(Self.all)])
    #expect((first.code, second.code) == (0, 0))
    #expect(second.out.contains("shop.f99"))
    #expect(second.out.contains("100 flows"))
  }

  @Test func `where one is due, the files are read`() async throws {
    try await run()
    ways.isDue.withLock { $0 = true }
    try await run()
    #expect(ways.news == [.read, .read])
  }

  @Test(arguments: [
    ["--fresh"], ["--revalidate"], ["--full-refresh"], ["--since", "2026-01-01"], ["-s", "shop.f1"],
    ["--exclude", "shop.f1"], ["--last-failed", "--no-flows", "pass"], ["--shard", "1/2"], ["--dry-run"],
    ["--retry-rejected", "--no-flows", "pass"],
  ])
  func `what a line asks besides is not answered by the plan`(_ arguments: [String]) async throws {
    try await run()
    _ = ways.news
    let outcome = try await bench.run(
      ["run", bench.path("flows/shop.yaml"), "--root", root] + arguments, NotingAssembly(ways: ways))
    #expect(ways.news == [.read], "\(outcome.err)")
    // Nor is the plan of all flows replaced.
    try await run()
    #expect(ways.news == [.remembered(Self.all)])
  }

  @Test(arguments: ["SELECT": "shop.f1", "FRESH": "1", "SHARD": "1/2", "DRY_RUN": "1"])
  func `nor what the environment asks`(_ name: String, _ value: String) async throws {
    try await run()
    _ = ways.news
    try await run(environment: ["REACTOR_\(name)": value])
    #expect(ways.news == [.read])
  }

  @Test(arguments: [["--offline"], ["--jobs", "3"], ["-q"], ["--format", "json"]])
  func `what changes nothing about the plan leaves it`(_ arguments: [String]) async throws {
    try await run()
    _ = ways.news
    _ = try await bench.run(
      ["run", bench.path("flows/shop.yaml"), "--root", root] + arguments, NotingAssembly(ways: ways))
    #expect(ways.news == [.remembered(Self.all)])
  }

  @Test func `a change to a file, to its schemas or to a value has the files read`() async throws {
    try bench.write(Self.text(top: "vars: { v: { type: string, default: a } }\n"), to: "flows/shop.yaml")
    let changes: [(String, () throws -> Void)] = [
      ("a comment", { try bench.write(Self.text() + "# more\n", to: "flows/shop.yaml") }),
      ("a folder of schemas", { try bench.write("", to: "flows/schemas/.keep") }),
      (
        "a schema",
        { try bench.write("reactor: 1\nschemas: { a: { fields: { id: integer } } }\n", to: "flows/schemas/a.yaml") }
      ),
      (
        "another schema",
        { try bench.write("reactor: 1\nschemas: { a: { fields: { id: string } } }\n", to: "flows/schemas/a.yaml") }
      ),
    ]
    try await run()
    try await run()
    #expect(ways.news == [.read, .remembered(Self.all)])
    for (name, change) in changes {
      try change()
      try await run()
      #expect(ways.news == [.read], "\(name)")
      try await run()
      #expect(ways.news == [.remembered(Self.all)], "\(name)")
    }
  }

  @Test func `a value for a variable, or another time limit, has the files read`() async throws {
    try bench.write(Self.text(top: "vars: { v: { type: string, default: a } }\n"), to: "flows/shop.yaml")
    try await run()
    _ = ways.news
    try await run("--var", "v=b")
    try await run("--var", "v=b")
    #expect(ways.news == [.read, .remembered(Self.all)])
    try await run("--var", "v=c")
    #expect(ways.news == [.read])
    try await run(environment: ["REACTOR_VAR_v": "c"])
    try await run(environment: ["REACTOR_VAR_v": "c", "UNRELATED": "1"])
    #expect(ways.news == [.read, .remembered(Self.all)])
    try await run("--timeout", "9s")
    #expect(ways.news == [.read])
    // A wrong name is still refused.
    #expect(try await run("--var", "w=b").code == 2)
  }

  @Test(arguments: ["cut", "changed", "removed", "huge", "folder"])
  func `a damaged plan costs only reading the files`(_ damage: String) async throws {
    try await run()
    _ = ways.news
    let path = URL(fileURLWithPath: root + "/.reactor/plan")
    var bytes = try Data(contentsOf: path)
    switch damage {
    case "cut": bytes.removeLast(bytes.count / 2)
    case "changed": bytes[bytes.count / 2] ^= 1
    case "huge": bytes.append(Data(count: 1 << 20))
    default: break
    }
    if damage == "removed" || damage == "folder" {
      try FileManager.default.removeItem(at: path)
      if damage == "folder" { try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false) }
    } else {
      try bytes.write(to: path)
    }
    let outcome = try await run()
    #expect(ways.news == [.read])
    #expect(outcome.code == 0)
    #expect(outcome.err == "")
    if damage != "folder" {
      try await run()
      #expect(ways.news == [.remembered(Self.all)])
    }
  }

  @Test(arguments: [
    (99, "", false), (100, "secrets: [S]\n", false), (100, "", true),
  ])
  func `few flows, and flows with secrets or warnings, are read each time`(
    _ count: Int, _ top: String, _ isWarned: Bool
  ) async throws {
    let text = Self.text(count, top: top)
      .replacingOccurrences(of: "1:1\" }", with: isWarned ? "1:1\", auth: { bearer: abc123 } }" : "1:1\" }")
    try bench.write(text, to: "flows/shop.yaml")
    let first = try await run(environment: ["S": "hidden"])
    #expect(first.code == 0)
    #expect(first.err.contains("warning") == isWarned)
    #expect(try await run(environment: ["S": "hidden"]).err == first.err)
    #expect(ways.news == [.read, .read])
    #expect(!FileManager.default.fileExists(atPath: root + "/.reactor/plan"))
  }

  @Test func `neighbours in a digest do not run into each other`() {
    var (one, other) = (PlanDigest(), PlanDigest())
    one.take("ab")
    one.take("c")
    other.take("a")
    other.take("bc")
    #expect(one.value != other.value)
  }
}
