import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the stores of a file by their names. `mayHaveMore` is true when some could not be read.
  mutating func stores(
    _ value: FieldValue?
  ) -> (stores: [Store<Located<Template>>], names: [String], mayHaveMore: Bool) {
    guard let value, !value.node.isNull else { return ([], [], false) }
    let members = members(of: value, role: .variable) ?? []
    let stores = members.compactMap { store($0.value, named: Located($0.name, at: $0.key.range), in: value.scope) }
    return (stores, members.map(\.name), Self.count(of: value.node) != members.count)
  }

  private mutating func store(
    _ node: YAMLNode, named name: Located<String>, in scope: Scope
  ) -> Store<Located<Template>>? {
    guard let nodes = open(node, as: StoreKeys.construct, owner: name.range, scope: scope) else { return nil }
    let (isFile, isServer) = (nodes.key(StoreKeys.sqlite) != nil, nodes.key(StoreKeys.postgres) != nil)
    let (sqlite, postgres) = (read(StoreKeys.sqlite, of: nodes), read(StoreKeys.postgres, of: nodes))
    let schema = read(StoreKeys.schema, of: nodes)
    let lockTimeout = read(StoreKeys.lockTimeout, of: nodes)?.value
    let statementTimeout = read(StoreKeys.statementTimeout, of: nodes)?.value
    let connections = read(StoreKeys.connections, of: nodes)?.value
    if isFile, isServer { return nil }
    guard isFile || isServer else {
      guard nodes.isLeftOut(StoreKeys.sqlite), nodes.isLeftOut(StoreKeys.postgres) else { return nil }
      return fail(
        .missingKey, "store '\(name.value)' names no database", at: name.range,
        help: "add 'sqlite: out/\(name.value).db' or 'postgres: \"{{ secrets.DATABASE_URL }}\"'")
    }
    let location: Store<Located<Template>>.Location
    if let sqlite {
      location = .sqlite(sqlite)
    } else if let postgres {
      location = .postgres(postgres, schema: schema?.value ?? "public")
    } else {
      return nil
    }
    var store = Store(name.value, at: location)
    if let lockTimeout { store.lockTimeout = Int(lockTimeout * 1000) }
    if let statementTimeout { store.statementTimeout = Int(statementTimeout * 1000) }
    if let connections { store.connections = connections }
    return store
  }

  /// Reads the path of an SQLite file.
  mutating func databasePath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    let text = template.value.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    do throws(URLSyntaxError) {
      try OutputPathText.check(text, endings: OutputPathText.databaseExtensions)
      return template
    } catch {
      return fail(.invalidOutput, error.message, at: value.node.range, help: error.help)
    }
  }

  /// Reads the connection URI of a server. The file should not contain its password.
  mutating func databaseURL(_ value: FieldValue) -> Located<Template>? {
    guard let template = filled(value) else { return nil }
    guard case .text(let start)? = template.value.segments.first else { return template }
    guard ["postgresql://", "postgres://"].contains(where: start.hasPrefix) || start.contains("=") else {
      return fail(
        .invalidURL, "'\(printable(start))' is not a connection URI of PostgreSQL", at: value.node.range,
        help: "write 'postgresql://USER@HOST/DATABASE', or keyword=value pairs")
    }
    if let text = template.value.constantText, Self.hasPassword(text) {
      report(
        .plainCredential, "the password of the store is written in the file", at: value.node.range,
        help: "declare a secret and write {{ secrets.NAME }}, or use a password file (~/.pgpass)")
    }
    return template
  }

  private static func hasPassword(_ text: String) -> Bool {
    if text.contains("password=") { return true }
    guard let start = text.firstRange(of: "://") else { return false }
    let authority = text[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    return authority.lastIndex(of: "@").map { authority[..<$0].contains(":") } ?? false
  }
}
