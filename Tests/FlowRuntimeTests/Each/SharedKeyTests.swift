import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

/// A key that records of two parents share: one of them would be lost, or is there twice.
@Suite struct SharedKeyTests {
  private static let flow = """
    each: { values: [north, south], as: region }
    resource: "/{{ region }}"
    """

  private static let cases: [(keys: String, south: String, count: Int)] = [
    // The number of a record counts within its region.
    ("schema: { key: n, fields: { n: integer, v: string } }", #"[{"n":1,"v":"b"},{"n":3,"v":"c"}]"#, 1),
    ("schema: { key: n, fields: { n: integer, v: string } }", #"[{"n":1,"v":"b"},{"n":2,"v":"c"}]"#, 2),
    // The same record, whichever parent gives it.
    ("schema: { key: n, fields: { n: integer, v: string } }", #"[{"n":1,"v":"a"},{"n":3,"v":"c"}]"#, 0),
    ("schema: { key: n, fields: { n: integer, v: string } }", #"[{"n":8,"v":"a"}]"#, 0),
    // The parent is part of the record, and of its key.
    ("schema: { key: n, fields: { n: integer, r: { value: \"{{ region }}\", type: string } } }", #"[{"n":1}]"#, 1),
    ("schema: { key: [r, n], fields: { n: integer, r: { value: \"{{ region }}\", type: string } } }", #"[{"n":1}]"#, 0),
    ("schema: { fields: { n: integer } }", #"[{"n":1}]"#, 0),
    // A page of one parent may give a record again.
    ("schema: { key: n, fields: { n: integer, v: string } }", #"[{"n":7,"v":"b"},{"n":7,"v":"c"}]"#, 0),
  ]

  @Test(arguments: cases, ["replace", "merge", "append"])
  func `it is reported where the records differ`(_ value: (keys: String, south: String, count: Int), _ mode: String)
    async throws
  {
    guard mode != "merge" || value.keys.contains("key:") else { return }
    try await Rig.with { rig in
      rig.answer { request in ok(request.target == "/north" ? #"[{"n":1,"v":"a"},{"n":2,"v":"b"}]"# : value.south) }
      let flow = try rig.flow("\(Self.flow)\n\(value.keys)\npersistence: { path: out.jsonl, mode: \(mode) }")
      let run = await rig.run(flow)
      #expect(run.message == "")
      let warnings = run.warnings(.sharedKey)
      #expect(warnings.count == (value.count == 0 ? 0 : 1))
      guard let warning = warnings.first else { return }
      #expect(warning.message.hasPrefix(value.count == 1 ? "1 record has the key" : "2 records have the key"))
      #expect(warning.location != nil && warning.help != nil)
    }
  }
}
