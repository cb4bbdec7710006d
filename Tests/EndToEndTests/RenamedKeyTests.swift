import Foundation
import TestSupport
import Testing

/// Keys by the names of earlier versions: an error that names the present one, and `check --fix`.
@Suite(.timeLimit(.minutes(3))) struct RenamedKeyTests {
  private static let old = """
    reactor: 1
    http: { base_url: https://api.example.com }
    flows:
      report:
        resource: { method: POST, path: /reports }  # creates the job
        retry: { max: 2, honour: none }
        job:
          id: response.id
          poll: "/reports/{{ job.id }}"
          "every": 2s
          max_every:   1m   # no longer than this
          done: response.done
          download: "/reports/{{ job.id }}/file"
        schema: { fields: { id: integer } }
        persistence: out/report.jsonl

    """

  @Test func `earlier names are errors that name the present ones, and --fix writes them`() async throws {
    let workspace = try Workspace()
    try workspace.write(Self.old, to: "flows/a.yaml")
    let checked = try await workspace.reactor("check")
    #expect(checked.status == 3)
    #expect(checked.stderr.contains("flows/a.yaml:6:22: error: 'honour' is 'follow' now [flow.renamed-key]"))
    #expect(checked.stderr.contains("help: write 'follow'; 'reactor check --fix' does so in the files"))
    #expect(checked.stderr.contains("3 errors in 1 file"), "\(checked.stderr)")
    let fixed = try await workspace.reactor("check", "--fix")
    #expect(fixed.status == 0, "\(fixed.stderr)")
    #expect(fixed.stderr.contains("note: flows/a.yaml: 3 keys renamed"))
    let present = Self.old.replacingOccurrences(of: "honour:", with: "follow:")
      .replacingOccurrences(of: "\"every\":", with: "wait:").replacingOccurrences(of: "max_every:", with: "max_wait:")
    #expect(workspace.text("flows/a.yaml") == present)
    let again = try await workspace.reactor("check", "--fix")
    #expect(again.status == 0 && again.stderr.isEmpty)
    #expect(workspace.text("flows/a.yaml") == present)
  }
}
