import Foundation
import JSONSyntax
import TestSupport
import Testing

/// The events of OpenLineage that a run writes or sends.
@Suite(.timeLimit(.minutes(2)))
struct OpenLineageTests {
  /// Builds each event of a file with the classes of openlineage-python, which know all members and check their values.
  private static let reader = """
    import json, logging, sys
    from datetime import datetime
    from uuid import UUID
    logging.disable(logging.CRITICAL)
    from openlineage.client import event_v2 as events
    from openlineage.client.generated import (
        base, error_message_run, job_type_job, output_statistics_output_dataset, parent_run)

    def facet(cls, value):
        value = dict(value)
        assert value.pop("_producer") and value.pop("_schemaURL") == cls._get_schema(), value
        if cls is parent_run.ParentRunFacet:
            value = {"run": parent_run.Run(**value["run"]), "job": parent_run.Job(**value["job"])}
        return cls(**value)

    def facets(value, **classes):
        return {name: facet(classes[name], item) for name, item in value.get("facets", {}).items()}

    def output(value):
        value = dict(value)
        own = {name: facet({"outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet}[name], item)
               for name, item in value.pop("outputFacets", {}).items()}
        return events.OutputDataset(outputFacets=own, **value)

    for line in open(sys.argv[1]):
        event = json.loads(line)
        run, job = event.pop("run"), event.pop("job")
        assert event.pop("schemaURL") == base.RunEvent._get_schema()
        datetime.fromisoformat(event["eventTime"].replace("Z", "+00:00"))
        assert UUID(run["runId"]).version == 7
        events.RunEvent(
            eventType=events.RunState(event.pop("eventType")),
            run=events.Run(run["runId"], facets(
                run, parent=parent_run.ParentRunFacet, errorMessage=error_message_run.ErrorMessageRunFacet)),
            job=events.Job(job["namespace"], job["name"], facets(job, jobType=job_type_job.JobTypeJobFacet)),
            inputs=[events.InputDataset(**item) for item in event.pop("inputs")],
            outputs=[output(item) for item in event.pop("outputs")], **event)
        print("valid")
    """

  private func shop() throws -> (Workspace, ScriptedServer) {
    let server = try ScriptedServer { request in
      let isMissing = request.target == "/missing"
      let body = isMissing ? "" : request.target == "/customers" ? #"[{"id":1},{"id":2}]"# : #"[{"id":7}]"#
      let status = isMissing ? "404 Not Found" : "200 OK"
      return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { reachability: false }
      flows:
        customers: { resource: /customers, persistence: out/customers.jsonl }
        orders:
          each: customers
          resource: "/customers/{{ parent.id }}/orders"
          persistence: out/orders.jsonl
        missing: { resource: /missing }

      """, to: "flows/shop.yaml")
    return (workspace, server)
  }

  @Test func `events have what each flow reads and writes, in the published form`() async throws {
    let (workspace, server) = try shop()
    defer { server.stop() }
    let outcome = try await workspace.reactor("run", "--openlineage", "lineage/run.ndjson")
    #expect(outcome.status == 5, "\(outcome.stderr)")
    let lines = try #require(workspace.text("lineage/run.ndjson")).split(separator: "\n")
    let events = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(events.count == 8)
    func event(_ type: String, _ job: String) throws -> JSONValue {
      try #require(events.first { $0["eventType"]?.string == type && $0["job"]?["name"]?.string == job }, "\(job)")
    }
    func names(_ datasets: JSONValue?) -> [String] {
      datasets?.array?.map { "\($0["namespace"]?.string ?? "") \($0["name"]?.string ?? "")" } ?? []
    }
    let root = workspace.folder.resolvingSymlinksInPath().path
    let run = try event("START", "reactor run \(root)")
    #expect(try event("FAIL", "reactor run \(root)")["run"] == run["run"])

    let orders = try event("COMPLETE", "shop.orders")
    #expect(
      names(orders["inputs"]) == [
        "\(server.url) /customers/{{ parent.id }}/orders", "file \(root)/out/customers.jsonl",
      ])
    #expect(names(orders["outputs"]) == ["file \(root)/out/orders.jsonl"])
    let statistics = orders["outputs"]?.array?.first?["outputFacets"]?["outputStatistics"]
    #expect(statistics?["rowCount"]?.int64 == 2)
    let start = try event("START", "shop.orders")
    #expect(start["run"]?["runId"] == orders["run"]?["runId"] && names(start["inputs"]) == names(orders["inputs"]))
    let parent = orders["run"]?["facets"]?["parent"]
    #expect(parent?["run"]?["runId"] == run["run"]?["runId"] && parent?["job"]?["name"] == run["job"]?["name"])

    let missing = try event("FAIL", "shop.missing")
    let message = missing["run"]?["facets"]?["errorMessage"]?["message"]?.string
    #expect(message?.contains("404") == true && names(missing["outputs"]) == [])

    try workspace.write(Self.reader, to: "reader.py")
    let readers = Repository.root.appendingPathComponent("scripts/report-readers").path
    let python = try await Program("/bin/bash", [readers, "python"], in: workspace.folder).end()
    guard python.status == 0 else {
      print("skipped: events read by openlineage-python, which is not there; scripts/report-readers install")
      return
    }
    let command = python.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let check = try await Program(command, ["reader.py", "lineage/run.ndjson"], in: workspace.folder).end()
    #expect(check.stdout == String(repeating: "valid\n", count: 8), "\(check.stderr)")
  }

  @Test func `a server gets each event, and its failure is a warning without the key`() async throws {
    let (workspace, shop) = try shop()
    defer { shop.stop() }
    let receiver = try ScriptedServer { request in
      let status = request.target == "/api/v1/lineage" ? "201 Created" : "401 tea-and-biscuits"
      return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8))]
    }
    defer { receiver.stop() }
    let environment = ["OPENLINEAGE_API_KEY": "tea-and-biscuits", "OPENLINEAGE_NAMESPACE": "shop"]
    let sent = try await workspace.reactor(
      "run", "-s", "shop.customers", "--openlineage", receiver.url, environment: environment)
    #expect(sent.status == 0 && !sent.stderr.contains("warning"), "\(sent.stderr)")
    let events = try receiver.requests.map { try JSONValue(parsing: $0.body) }
    #expect(events.map { $0["eventType"]?.string } == ["START", "START", "COMPLETE", "COMPLETE"])
    #expect(events.allSatisfy { $0["job"]?["namespace"]?.string == "shop" })
    #expect(receiver.requests.allSatisfy { $0["authorization"] == "Bearer tea-and-biscuits" })

    let refused = try await workspace.reactor(
      "run", "-s", "shop.customers",
      environment: environment.merging(["REACTOR_OPENLINEAGE": "\(receiver.url)/other?key=tea-and-biscuits"]) { $1 })
    #expect(refused.status == 0)
    #expect(
      refused.stderr.contains("warning: lineage could not be sent to '\(receiver.url)': the server answered 401"),
      "\(refused.stderr)")
    #expect(!(refused.stdout + refused.stderr).contains("biscuits"))
    let wrong = try await workspace.reactor("run", "--openlineage", "ftp://biscuits")
    #expect(wrong.status == 2 && !wrong.stderr.contains("biscuits"), "\(wrong.stderr)")
  }
}
