import Foundation
import TestSupport
import Testing

/// What libpq reads besides the URL works here too: service files, password files and TLS.
@Suite(.timeLimit(.minutes(2)))
struct DatabaseConnectionTests {
  private static let password = "tea & biscuits"

  private struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The store, with `PORT` and `FOLDER`.
    var store: String
    var environment: [String: String] = [:]
    /// What the program says; nil when the database accepts it.
    var refusal: String?
  }

  private static let url = "postgresql://reactor@127.0.0.1:PORT/shop"

  private static let cases = [
    Case(
      testDescription: "a verified certificate",
      store: "\(url)?sslmode=verify-full&sslrootcert=FOLDER/own.crt", environment: ["PGPASSWORD": password]),
    Case(
      testDescription: "a certificate of somebody else",
      store: "\(url)?sslmode=verify-full&sslrootcert=FOLDER/other.crt", environment: ["PGPASSWORD": password],
      refusal: "certificate verify failed"),
    Case(
      testDescription: "a service file", store: "service=shop", environment: ["PGSERVICEFILE": "FOLDER/services"]),
    Case(testDescription: "no such service", store: "service=shop", refusal: "shop"),
    Case(testDescription: "a password file", store: url, environment: ["PGPASSFILE": "FOLDER/passwords"]),
    Case(testDescription: "no password", store: url, refusal: "no password supplied"),
  ]

  @Test func `a store connects as every program of PostgreSQL does`() async throws {
    guard try PostgreSQLServer.isAvailable(for: "connections to PostgreSQL") else { return }
    let workspace = try Workspace()
    let folder = workspace.folder.path
    for name in ["own", "other"] {
      let made = try await workspace.shell(
        """
        openssl req -x509 -newkey rsa:2048 -nodes -keyout \(name).key -out \(name).crt -days 2 -subj /CN=127.0.0.1 \
        -addext subjectAltName=IP:127.0.0.1 2>&1
        """)
      try #require(made.status == 0, "\(made.stdout)")
    }
    // The server reads its key as its own user.
    let owner = PostgreSQLServer.owner.map { "chown \($0.user):\($0.group) own.key && " } ?? ""
    let moved = try await workspace.shell("\(owner)chmod 600 own.key && chmod 711 .")
    try #require(moved.status == 0, "\(moved.stderr)")
    let server = try PostgreSQLServer(
      password: Self.password, listensOnLoopback: true,
      settings: ["ssl=on", "ssl_cert_file=\(folder)/own.crt", "ssl_key_file=\(folder)/own.key"])
    let port = try #require(server.port)
    try workspace.write(
      "[shop]\nhost=127.0.0.1\nport=\(port)\ndbname=shop\nuser=reactor\npassword=\(Self.password)\n", to: "services")
    try workspace.write("127.0.0.1:\(port):shop:reactor:\(Self.password)\n", to: "passwords")
    let closed = try await workspace.shell("chmod 600 passwords")
    try #require(closed.status == 0)
    for one in Self.cases {
      func filled(_ text: String) -> String {
        text.replacingOccurrences(of: "PORT", with: "\(port)").replacingOccurrences(of: "FOLDER", with: folder)
      }
      try workspace.write(
        """
        reactor: 1
        http: { base_url: http://127.0.0.1:9 }
        stores: { db: { postgres: "\(filled(one.store))" } }
        flows: { a: { resource: /a, schema: { fields: { id: integer } }, persistence: { store: db, table: a } } }
        """, to: "flows/a.yaml")
      let outcome = try await workspace.start(
        ["check", "--connect"], environment: one.environment.mapValues(filled)
      ).end()
      let said = outcome.stdout + outcome.stderr
      #expect(outcome.status == (one.refusal == nil ? 0 : 3), "\(one): \(said)")
      #expect(said.contains(one.refusal ?? "1 table or query checked"), "\(one): \(said)")
      #expect(!said.contains("biscuits"), "\(one): \(said)")
    }
  }
}
