import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// All combinations of what decides which requests a flow sends: each of them gets every record once, or is refused.
@Suite struct CombinationTests {
  /// A part of a flow that changes its requests.
  enum Part: String, CaseIterable, CustomTestStringConvertible {
    case each
    case cursor
    case pages
    case job
    case groups = "field_groups"
    case firstRun = "first_run"
    case retry

    var testDescription: String { rawValue }
  }

  /// A set of parts.
  struct Combination: CustomTestStringConvertible, Sendable {
    var parts: Set<Part>
    var testDescription: String { Part.allCases.filter(parts.contains).map(\.rawValue).joined(separator: " + ") }

    func has(_ part: Part) -> Bool { parts.contains(part) }

    static let all = (0..<(1 << Part.allCases.count)).map { bits in
      Combination(
        parts: Set(Part.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)))
    }

    static let accepted = all.filter { $0.refusal == nil }
    static let refused = all.filter { $0.refusal != nil }

    /// What the loader says to the combination; nil where it runs. This is the whole table.
    var refusal: String? {
      if has(.firstRun), !has(.cursor) { return "'first_run' needs a cursor" }
      if has(.job), has(.groups) { return "the result of a job cannot be requested in groups of fields" }
      return nil
    }

    /// The keys of the flow.
    var keys: String {
      let parent = has(.each) ? "/{{ value }}" : ""
      let query = has(.groups) ? ", query: { fields: \"{{ join(field_group, ',') }}\" }" : ""
      func resource(_ path: String, _ method: String = "GET") -> String {
        "{ method: \(method), path: \"\(path)\(parent)\"\(query) }"
      }
      var lines = [
        "resource: " + (has(.job) ? resource("/exports", "POST") : resource("/people")),
        "records: $.data[*]",
        "schema: { key: id, fields: { id: integer, t: date, name: string, city: string } }",
        "persistence: { path: users.jsonl, mode: merge }",
      ]
      let pages = "pages: { by: page, query: page, count: $.pages }"
      if has(.each) { lines.append("each: { values: [a, b] }") }
      if has(.cursor) {
        lines.append(
          "cursor: { field: t, query: { start: since, end: until }, start: 2023-11-01, end: 2023-11-21, slice: 5d }")
      }
      if has(.pages) { lines.append(pages) }
      if has(.job) {
        lines += [
          "job:", "  id: response.id", "  poll: \"/jobs/{{ job.id }}\"", "  done: response.state == 'done'",
          "  download: \"/files/{{ job.id }}\"",
        ]
      }
      let groups = "field_groups: { max: 3, fields: [name, city], key: [id, t], by: $.id }"
      if has(.groups) { lines.append(groups) }
      if has(.firstRun) {
        lines += ["first_run:", "  resource: \(resource("/people"))", "  records: $.data[*]"]
        if has(.pages) { lines.append("  \(pages)") }
        if has(.groups) { lines.append("  \(groups)") }
      }
      return lines.joined(separator: "\n")
    }
  }

  /// A server with people of two branches, who can be asked for in every way, also by way of a job.
  private final class Town: Sendable {
    struct Person: Hashable { var id: Int, day: Int }

    let people = Mutex<[Person]>((1...12).map { Person(id: $0, day: $0) })
    /// The requests of jobs: a job is the request whose records it exports.
    private let jobs = Mutex<[URLComponents]>([])
    /// The requests that have failed once.
    private let failed = Mutex<Set<String>>([])
    private let failsOnce: Bool

    init(failsOnce: Bool) { self.failsOnce = failsOnce }

    static func line(_ person: Person, only fields: [Substring]? = nil) -> String {
      let day = person.day < 10 ? "0\(person.day)" : "\(person.day)"
      let all = [
        ("id", "\(person.id)"), ("t", "\"2023-11-\(day)\""), ("name", "\"N\(person.id)\""),
        ("city", "\"C\(person.id)\""),
      ]
      let members = all.filter { fields?.contains(Substring($0.0)) ?? true }.map { "\"\($0.0)\":\($0.1)" }
      return "{" + members.joined(separator: ",") + "}"
    }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      // A POST is not sent again by itself: nobody knows what the first one has done.
      if failsOnce, request.method == "GET", failed.withLock({ $0.insert(request.target).inserted }) {
        return FlowTesting.answer("503 Service Unavailable", "{}")
      }
      guard let asked = URLComponents(string: request.target) else { return [] }
      let path = asked.path.split(separator: "/")
      switch path.first {
      case "people": return ok(page(asked, page: asked))
      case "exports":
        let id = jobs.withLock { jobs in
          jobs.append(asked)
          return jobs.count - 1
        }
        return ok(#"{"id":"\#(id)"}"#)
      case "jobs": return ok(#"{"state":"done"}"#)
      case "files":
        let id = path.count > 1 ? Int(path[1]) ?? 0 : 0
        return ok(page(jobs.withLock { $0[id] }, page: asked))
      default: return FlowTesting.answer("404 Not Found", "{}")
      }
    }

    /// The records that one request describes, and of these the page that another one names.
    private func page(_ asked: URLComponents, page request: URLComponents) -> String {
      func value(_ name: String, in asked: URLComponents) -> String? {
        asked.queryItems?.first { $0.name == name }?.value
      }
      var found = people.withLock { $0 }
      let path = asked.path.split(separator: "/")
      if path.count > 1 { found = found.filter { ($0.id % 2 == 0) == (path[1] == "b") } }
      func isInRange(_ person: Person) -> Bool {
        let day = Self.line(person, only: ["t"]).dropFirst(6).prefix(10)
        return day >= value("since", in: asked) ?? "" && day < value("until", in: asked) ?? "9"
      }
      found = found.filter(isInRange)
      let pages = max(1, (found.count + 1) / 2)
      if let number = value("page", in: request).flatMap({ Int($0) }) {
        found = Array(found.dropFirst(2 * (number - 1)).prefix(2))
      }
      let fields = value("fields", in: asked)?.split(separator: ",")
      let rows = found.map { Self.line($0, only: fields) }
      return #"{"data":[\#(rows.joined(separator: ","))],"pages":\#(pages)}"#
    }

    /// The lines of a whole result, sorted.
    var lines: [String] { people.withLock { $0.map { Self.line($0) }.sorted() } }
  }

  @Test(arguments: Combination.accepted)
  func `every record comes once, and later runs add what is new`(_ combination: Combination) async throws {
    let town = Town(failsOnce: combination.has(.retry))
    try await Rig.with { rig in
      rig.answer { town.answer($0) }
      let flow = try rig.flow(combination.keys)
      let first = await rig.run(flow, .fresh)
      #expect(first.message == "" && first.kept == 12)
      #expect(rig.result?.split(separator: "\n").map(String.init).sorted() == town.lines)
      town.people.withLock { $0 += [.init(id: 13, day: 12), .init(id: 14, day: 17)] }
      let second = await rig.run(flow, .fresh)
      #expect(second.message == "")
      #expect(rig.result?.split(separator: "\n").map(String.init).sorted() == town.lines)
    }
  }

  @Test(arguments: Combination.refused)
  func `what does not go together is refused before the first request`(_ combination: Combination) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text(combination.keys))
      let refusal = try #require(combination.refusal)
      #expect(compilation.diagnostics.diagnostics.contains { $0.message.hasPrefix(refusal) })
      #expect(compilation.flows.isEmpty)
    }
  }
}
