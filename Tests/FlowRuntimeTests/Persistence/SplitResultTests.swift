import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Results in files by fields of their records.
@Suite struct SplitResultTests {
  private static let schema =
    "schema: { key: id, fields: { id: integer, country: string, at: timestamp } }"

  private static func record(_ id: Int, _ country: String, _ at: String = "2026-01-15T10:00:00Z") -> String {
    #"{"id":\#(id),"country":"\#(country)","at":"\#(at)"}"#
  }

  private static func body(_ records: [String]) -> String { "[\(records.joined(separator: ","))]" }

  private static func flow(_ rig: Rig, _ path: String, _ more: String = "", keys: String = "") throws -> DeclaredFlow {
    try rig.flow("\(schema)\npersistence: { path: \"\(path)\"\(more) }\n\(keys)")
  }

  private static func visible(_ rig: Rig) -> [String] { rig.files.filter { !$0.hasPrefix(".reactor") } }

  @Test(arguments: ["jsonl", "jsonl.gz", "csv", "csv.zst"])
  func `records are persisted by field and by day, and used from there`(_ ending: String) async throws {
    try await Rig.with { rig in
      let days = ["2026-01-15T10:00:00Z", "2026-01-15T23:00:00Z", "2026-01-16T00:00:00Z"]
      let records = [Self.record(1, "de", days[0]), Self.record(2, "fr", days[2]), Self.record(3, "de", days[1])]
      rig.answer(ok(Self.body(records)))
      let flow = try Self.flow(
        rig, "out/{{ record.country }}/{{ format(date(record.at), '%Y-%m-%d') }}.\(ending)", ", expires_after: 1h")
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 3)
      #expect(Self.visible(rig) == ["out/de/2026-01-15.\(ending)", "out/fr/2026-01-16.\(ending)"])
      let text = try #require(rig.scratch.text("out/de/2026-01-15.\(ending)"))
      let expected =
        ending.hasPrefix("csv")
        ? "id,country,at\r\n1,de,\(days[0])\r\n3,de,\(days[1])\r\n" : "\(records[0])\n\(records[2])\n"
      #expect(text == expected)
      await rig.letGo()
      let kept = await rig.run(flow)
      #expect(kept.source == .persistence)
      #expect(kept.kept == 3)
      #expect(await flow.persisted().records == 3)
      rig.clock.advance(by: .seconds(3601))
      rig.answer(ok(Self.body([records[2]])))
      #expect(await rig.run(flow).source == .network)
      #expect(Self.visible(rig) == ["out/de/2026-01-15.\(ending)"])
      #expect(flow.outputPath == "out/{{ record.country }}/{{ format(date(record.at), '%Y-%m-%d') }}.\(ending)")
    }
  }

  @Test(arguments: ["jsonl", "csv", "csv.gz"])
  func `children see all records`(_ ending: String) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(
        ParentResultTests.flows(mode: "replace", format: "x.jsonl", parent: "")
          .replacingOccurrences(
            of: "path: orders.x.jsonl", with: "path: \"by/{{ record.id }}.\(ending)\", expires_after: 1h"))
      for run in await rig.run(flows) { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      rig.clock.advance(by: .seconds(120))
      shop.change(3) { $0.items = [32] }
      let runs = await rig.run(flows)
      #expect(runs.first?.source == .persistence)
      for run in runs { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 32])
    }
  }

  @Test func `an expired result that is still right only gets a new age, unless a file was changed`() async throws {
    try await Rig.with(answer("200 OK", Self.body([Self.record(1, "de"), Self.record(2, "fr")]), ["ETag: \"v1\""])) {
      rig in
      let flow = try Self.flow(rig, "{{ record.country }}.jsonl", ", expires_after: 1h")
      _ = await rig.run(flow)
      rig.answer { request in
        request["If-None-Match"] == nil
          ? ok(Self.body([Self.record(1, "de")])) : [.text("HTTP/1.1 304 Not Modified\r\n\r\n")]
      }
      rig.clock.advance(by: .seconds(3601))
      #expect(await rig.run(flow).source == .notModified)
      #expect(await rig.run(flow).source == .persistence)
      try rig.scratch.write("{}\n".utf8, to: "fr.jsonl")
      let run = await rig.run(flow)
      #expect(run.miss == .unreadable("fr.jsonl was changed after it was written"), "\(String(describing: run.miss))")
      #expect(run.source == .network)
      // The file belongs to the user now.
      #expect(Self.visible(rig) == ["de.jsonl", "fr.jsonl"])
    }
  }

  @Test(arguments: [
    (#""""#, "is empty"), (#""a/b""#, "contains a slash"), (#""..""#, "begins with a dot"),
    (#"".x""#, "begins with a dot"),
    (#""a\u0000""#, "contains a hidden character"), (#""a\nb""#, "contains a hidden character"),
    (#""\u202ea""#, "contains a hidden character"), (#"" a""#, "begins or ends with a space"),
    (#""a\\b""#, "contains a slash"),
    ("\"\(String(repeating: "x", count: 201))\"", "has more than 200 bytes"),
  ])
  func `a value that cannot be a name fails the flow, with field and record`(_ value: String, _ words: String)
    async throws
  {
    try await Rig.with(ok(Self.body([Self.record(1, "de")]))) { rig in
      let flow = try Self.flow(rig, "out/{{ record.country }}.jsonl")
      #expect(await rig.run(flow).message == "")
      rig.answer(ok("[\(Self.record(7, "fr")),{\"id\":8,\"country\":\(value),\"at\":\"2026-01-15T10:00:00Z\"}]"))
      let run = await rig.run(flow, .fresh)
      #expect(run.message.hasPrefix("the record with id 8 has no path: 'record.country' \(words)"), "\(run.message)")
      #expect(run.error?.pointer == "/country")
      #expect(run.error?.help != nil)
      #expect(Self.visible(rig) == ["out/de.jsonl"])
      #expect(await rig.run(flow, .offline).kept == 1)
    }
  }

  @Test func `a null has the remedy to give a value`() async throws {
    try await Rig.with(ok(Self.body([Self.record(1, "de")]))) { rig in
      let flow = try rig.flow(
        "schema: { key: id, fields: { id: integer, tag: json } }\npersistence: \"{{ record.tag.name }}.jsonl\"")
      rig.answer(ok(#"[{"id":1,"tag":{"name":null}}]"#))
      let run = await rig.run(flow)
      #expect(run.message == "the record with id 1 has no path: 'record.tag.name' is null")
      #expect(
        run.error?.help == "leave such records out with 'where', or give a value: coalesce(record.tag.name, 'none')")
    }
  }

  @Test(arguments: [
    (
      "\(schema)\npersistence: { path: \"{{ record.country }}.jsonl\", mode: merge }",
      "a result split by fields of records is replaced as a whole, so 'mode: merge' is not possible"
    ),
    (
      "\(schema)\npersistence: { path: \"{{ record.country }}.jsonl\", mode: append }",
      "a result split by fields of records is replaced as a whole, so 'mode: append' is not possible"
    ),
    (
      "\(schema)\ncursor: { field: id, query: after }\npersistence: { path: \"{{ record.country }}.jsonl\", mode: merge }",
      "a result split by fields of records is replaced as a whole, so 'mode: merge' is not possible"
    ),
    (
      "\(schema)\neach: { values: [a], as: x, on_error: skip }\npersistence: \"{{ record.country }}.jsonl\"",
      "a result split by fields of records would lose the records of parents whose request fails"
    ),
    ("\(schema)\npersistence: \"{{ record.country }}.json\"", "a path with fields of records cannot be a JSON array"),
    (
      "\(schema)\npersistence: \"out/{{ record.country }}\"",
      "the extension of a path cannot come from a field of records"
    ),
    ("\(schema)\npersistence: \"out/{{ record.land }}.csv\"", "'record' has no member 'land'"),
    (
      "\(schema)\neach: { values: [a], as: x }\npersistence: \"out/{{ x }}.csv\"",
      "'x' is not a name that can be used here"
    ),
    (
      "schema: { fields: { id: integer, tag: string? } }\npersistence: \"{{ record.tag }}.csv\"",
      "'record.tag' may be missing"
    ),
    ("\(schema)\npersistence: \"../{{ record.country }}.csv\"", "the output path leaves the output root"),
  ])
  func `what cannot be is an error of the check`(_ keys: String, _ message: String) async throws {
    try await Rig.with { rig in
      let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", text: rig.text(keys))])
      var bag = loaded.diagnostics
      bag.merge(FlowCompiler.problems(in: loaded.flows))
      #expect(bag.diagnostics.map(\.message) == [message])
      #expect(bag.diagnostics.first?.help != nil || message.contains("land"))
      #expect(rig.compile(rig.text(keys)).flows.isEmpty)
    }
  }

  @Test func `a path with fields needs a schema`() async throws {
    try await Rig.with { rig in
      let text = rig.text("persistence: \"{{ record.country }}.jsonl\"").replacing(#/    schema: .*\n/#, with: "")
      #expect(
        rig.compile(text).diagnostics.diagnostics.map(\.message) == ["a path with fields of records needs a schema"])
    }
  }

  @Test func `variables and fields stand in one path`() async throws {
    try await Rig.with(ok(Self.body([Self.record(1, "de")]))) { rig in
      let flow = try rig.flow(
        "\(Self.schema)\npersistence: \"{{ vars.shop }}/{{ vars.shop + '-' + upper(record.country) }}.jsonl\"",
        top: "vars: { shop: { type: string, default: tea } }")
      #expect(await rig.run(flow).message == "")
      #expect(Self.visible(rig) == ["tea/tea-DE.jsonl"])
    }
  }
}
