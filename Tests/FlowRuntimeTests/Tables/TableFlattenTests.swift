import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// `flatten`: a column for each field of an object.
@Suite struct TableFlattenTests {
  private static let schema =
    """
    schema:
      key: id
      fields:
        id: integer
        address:
          type: object
          optional: true
          fields:
            city: string
            geo: { type: object, from: $.at, fields: { lat: number? } }
        tags: [string]
    """

  @Test(arguments: TestStore.available)
  func `a field of an object becomes a column`(_ store: TestStore) async throws {
    let body = #"[{"id":1,"address":{"city":"Oslo","at":{"lat":59.9}},"tags":["a"]},{"id":2,"address":null,"tags":[]}]"#
    try await TableRig.with(store, ok(body)) { tables in
      let flow = try tables.flow(
        Self.schema + "\nwhere: coalesce(record.address_city, '') != 'Bergen'", persistence: "flatten: _")
      #expect(await tables.rig.run(flow).message == "")
      let rows = try await tables.lines("SELECT id, address_city, address_geo_lat, tags FROM users ORDER BY id")
      #expect(rows == [#"1,Oslo,59.9,["a"]"#, "2,-,-,[]"])
      let wider = try tables.flow(Self.schema, persistence: "flatten: __")
      #expect(await tables.rig.run(wider, .fresh).message == "")
      #expect(try await tables.lines("SELECT address__city FROM users WHERE id = 1") == ["Oslo"])
    }
  }

  @Test func `two fields of one name are an error`() async throws {
    try await Rig.with { rig in
      let text =
        """
        reactor: 1
        http: { base_url: https://api.example.com }
        stores: { db: { sqlite: a.db } }
        flows:
          users:
            resource: /users
            schema: { fields: { a_b: integer, a: { type: object, fields: { b: integer } } } }
            persistence: { store: db, table: users, flatten: _ }
        """
      #expect(
        rig.compile(text).diagnostics.diagnostics.map(\.message) == ["'flatten' gives two fields the name 'a_b'"])
    }
  }
}
