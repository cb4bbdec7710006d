internal import JSONSyntax
public import ReactorCore
public import Records
internal import Storage

/// Persists results in a table of a database. A save is one transaction; after an error the table is as it was.
///
/// The table contains the result of one resource, which `reactor_tables` names. A result is never used for another
/// resource, nor after its expiry. Each save replaces the rows in place, so views, grants and indexes stay, and a
/// reader sees the old rows or the new ones.
///
///     let database = Database.sqlite(at: "shop.db")
///     let flow = productFlow.persisting(
///       in: InTablePersistence(in: database, table: "products", schema: schema, parser: parser))
public struct InTablePersistence<Model: Sendable>: Persistence {
  private let database: Database
  private let table: String
  private let schema: RecordSchema
  private let scope: String
  private let expiresAfter: Duration?
  private let wallClock: WallClock
  private let scratch: OutputRoot
  private let records: @Sendable (Model) throws(ReactorError) -> RecordSet
  private let model: @Sendable (RecordSet) async throws(ReactorError) -> Model
  private let saved: @Sendable (Model, RecordSet) -> Model

  private init(
    in database: Database, table: String, schema: RecordSchema, scope: String, expiresAfter: Duration?,
    wallClock: WallClock, records: @escaping @Sendable (Model) throws(ReactorError) -> RecordSet,
    model: @escaping @Sendable (RecordSet) async throws(ReactorError) -> Model,
    saved: @escaping @Sendable (Model, RecordSet) -> Model
  ) {
    self.database = database
    self.table = table
    self.schema = schema
    self.scope = scope
    self.expiresAfter = expiresAfter
    self.wallClock = wallClock
    // Rows that are read wait in a file without a name.
    scratch = OutputRoot(path: "/tmp", durability: .fast)
    self.records = records
    self.model = model
    self.saved = saved
  }

  /// Creates a persistence for models that a parser maps to an array of JSON objects.
  ///
  /// - Parameters:
  ///   - table: the name of the table, which the first save creates
  ///   - schema: the columns: its fields have the names of the members in the model's JSON
  ///   - parser: maps models in both directions, with the same strictness as for responses
  ///   - scope: a further text that identifies a result, such as the base URL
  ///   - expiresAfter: how long a result is used; nil for no limit
  public init(
    in database: Database, table: String, schema: RecordSchema, parser: Parser<Model>, scope: String = "",
    expiresAfter: Duration? = nil, wallClock: WallClock = .system
  ) {
    self.init(
      in: database, table: table, schema: schema, scope: scope, expiresAfter: expiresAfter, wallClock: wallClock,
      records: { (model) throws(ReactorError) in
        guard case .array(let elements) = try parser.json(of: model) else {
          throw .persistence("the model is not a list, so it has no rows to persist")
        }
        return RecordSet(
          schema: schema, count: elements.count, format: .json, content: .memory(JSONWriter.bytes(.array(elements))))
      },
      model: { (records) async throws(ReactorError) in
        let parsed = try parser.parse(JSONWriter.bytes(.array(try await records.values())))
        if parsed.report.isWhollyRejected { throw .persistence("none of its records matches the schema") }
        return parsed.model
      }, saved: { model, _ in model })
  }

  /// Returns the persisted result of a resource, or the reason why no result can be used.
  @concurrent public func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    try ReactorError.checkCancellation()
    do throws(ReactorError) {
      guard let stamp = try await database.stamp(of: table) else { return .miss(.absent) }
      if let miss = rules(resource).miss(stamp.provenance) { return .miss(miss) }
      return .hit(try await model(stored(stamp)))
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  /// Stores the model's records in one transaction and replaces those of the previous result.
  ///
  /// - Throws: `.persistence` when the database refuses, `.parser` when a record does not fit its columns
  @concurrent public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    try check()
    let given = try records(model)
    let own = RecordSet(schema: schema, count: given.count, format: given.format, content: given.content)
    let rules = rules(resource)
    let load = TableLoad(
      into: table, layout, mode: .replace, flow: "swift.\(table)",
      provenance: Provenance(
        writtenAt: wallClock.milliseconds, resource: rules.key, schema: rules.schema, recordCount: given.count))
    let stamp = try await database.load(load, Database.Rows(own, layout))
    return saved(model, stored(stamp))
  }

  /// Throws when saving is impossible: the database cannot hold the table's name or a column, or cannot be reached.
  @concurrent public func checkSave(for resource: Resource) async throws(ReactorError) {
    try check()
    try await database.connect()
  }

  private var layout: TableLayout { TableLayout(of: schema, in: database.dialect) }

  private func rules(_ resource: Resource) -> ResultRules {
    ResultRules(
      key: resource.digest(scope: scope), schema: ContentHash.of(schema.canonicalText.utf8), expiresAfter: expiresAfter,
      wallClock: wallClock)
  }

  private func stored(_ stamp: TableStamp) -> RecordSet {
    RecordSet(
      schema: schema, count: stamp.provenance.recordCount, format: .jsonLines,
      content: .file(
        TableRecords(
          database: database, table: table, sql: database.query(of: table, layout), columns: layout.columns,
          load: stamp.load, newFeed: { [scratch] in scratch.feed() })))
  }

  private func check() throws(ReactorError) {
    let fields = schema.fields.map(\.name)
    let empty = TableProblem(
      message: "records are loaded into a table by a schema, and '\(schema.name)' has no fields",
      help: "declare the fields, which become the columns", field: nil)
    let problems = TableProblem.all(table: table, fields: fields, in: database.dialect)
    guard let problem = fields.isEmpty ? empty : problems.first else { return }
    var error = ReactorError.persistence(problem.message, path: "\(database.name):\(table)")
    error.help = problem.help
    throw error
  }
}

extension InTablePersistence where Model == RecordSet {
  /// Creates a persistence for sets of records.
  ///
  /// The other parameters are those of the initialiser with a parser. A saved set is read from the table.
  ///
  /// - Parameter schema: the columns, which are the fields of the saved records
  public init(
    in database: Database, table: String, schema: RecordSchema, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) {
    self.init(
      in: database, table: table, schema: schema, scope: scope, expiresAfter: expiresAfter, wallClock: wallClock,
      records: { $0 }, model: { $0 }, saved: { _, stored in stored })
  }
}
