import FlowTesting
import SourceDiagnostics
import Testing

/// What the loader refuses.
@Suite struct CursorCapCheckTests {
  @Test(arguments: [
    ("cap: { records: 9, then: halve }, start: 0, end: 9", "the request does not use the end of the range"),
    ("cap: { records: 9, then: halve }, end: 9, query: { start: since, end: u }", "\'then: halve\' needs a start"),
    ("cap: { records: 9, then: halve }, start: 0", "'then: halve' needs an end"),
    ("cap: { pages: 9, then: restart }", "the cap is a number of pages, but the flow has only one page"),
    ("cap: { then: restart }", "'cap' does not say when it is reached"),
  ])
  func `a cap whose rest cannot be requested is an error`(_ cursor: String, _ message: String) async throws {
    try await Rig.with { rig in
      let found = rig.compile(
        rig.text(
          """
          schema: { key: id, fields: { id: integer, t: integer } }
          persistence: { path: users.jsonl, mode: merge }
          cursor: { field: t, \(cursor.contains("query: ") ? "" : "query: since, ")\(cursor) }
          """)
      ).diagnostics.diagnostics
      #expect(found.count == 1)
      #expect(found.first?.message.hasPrefix(message) == true, "\(found.map(\.message))")
    }
  }

  @Test func `more checks of a cap`() async throws {
    try await Rig.with { rig in
      func messages(_ keys: String) -> [String] { rig.compile(rig.text(keys)).diagnostics.diagnostics.map(\.message) }
      #expect(
        messages(
          """
          schema: { key: id, fields: { id: integer, t: integer } }
          persistence: { path: users.jsonl, mode: append }
          cursor: { field: t, query: since, bounds: "(]", cap: { records: 9, then: restart } }
          """) == ["'then: restart' requests the last records again, and 'mode: append' would store them twice"])
      #expect(
        messages(
          """
          schema: { key: id, fields: { id: integer, t: integer } }
          persistence: { path: users.jsonl, mode: append }
          cursor: { field: t, query: { start: since, end: u }, bounds: "(]", start: 0, end: 9, cap: { records: 9, then: halve } }
          """) == [])
      #expect(
        messages(
          """
          schema: { key: t, fields: { t: string } }
          persistence: { path: users.jsonl, mode: merge }
          cursor: { field: t, query: since, bounds: "(]", cap: { records: 9, then: restart } }
          """) == ["with these 'bounds', records with the value at which a new range begins would be in no range"])
      #expect(
        messages(
          """
          schema: { key: t, fields: { t: string } }
          persistence: { path: users.jsonl, mode: merge }
          cursor: { field: t, query: { start: since, end: u }, start: a, end: b, cap: { records: 9, then: halve } }
          """) == ["a range of texts has no middle"])
      #expect(
        messages(
          """
          schema: { key: id, fields: { id: integer, t: integer } }
          persistence: { path: users.jsonl, mode: merge }
          cursor: { field: t, filter: true, cap: { records: 9, then: restart } }
          """) == ["the request does not use the cursor, so every range would be the same"])
      #expect(
        messages(
          """
          schema: { key: id, fields: { id: integer, t: integer } }
          persistence: { path: users.jsonl, mode: merge }
          pages: { by: page, query: page }
          cursor: { field: t, order: descending, query: since, cap: { records: 9, then: restart } }
          """) == ["a feed in descending order cannot be requested in ranges"])
      #expect(
        messages("errors: [{ when: status == 400, do: cap }]") == [
          "'do: cap' needs a 'cap' in 'cursor', which says how the rest of the range is requested"
        ])
    }
  }
}
