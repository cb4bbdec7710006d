internal import ByteCodings
internal import Databases
package import ReactorCore
package import Storage

/// Stores documents in the shared state. Documents that are secret are sealed before they are sent.
package struct DatabaseDocuments: StateStore {
  private let database: StateDatabase
  private let key: SealingKey?
  private let lease: Duration
  private let delay: Delay

  package let longestPause = Duration.milliseconds(500)

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - key: seals the documents; without it, tokens can be neither written nor read
  ///   - lease: how long a lock holds without a sign of its process
  package init(
    in database: StateDatabase, key: SealingKey?, lease: Duration = .seconds(30), delay: Delay = .real
  ) {
    self.database = database
    self.key = key
    self.lease = lease
    self.delay = delay
  }

  package func seals(_ kind: StateDocument.Kind) -> Bool { key != nil }

  package func location(of document: StateDocument) -> String {
    "document \(document.kind.rawValue)/\(document.name) of the shared state"
  }

  package func read(_ document: StateDocument) async throws(ReactorError) -> [UInt8]? {
    let rows = try await run(DocumentStatements.read, document)
    guard let text = rows.first?.text(0) else { return nil }
    do throws(SealError) {
      return try DocumentSeal.open(Hex.bytes(text.utf8) ?? [], of: document, with: key)
    } catch {
      throw failure(error, of: document)
    }
  }

  package func write(_ bytes: [UInt8], as document: StateDocument) async throws(ReactorError) {
    _ = try await run(DocumentStatements.write, document, [Hex.text(try sealed(bytes, of: document))])
  }

  package func remove(_ document: StateDocument) async { _ = try? await run(DocumentStatements.remove, document) }

  package func names(
    of kind: StateDocument.Kind, withPrefix prefix: String
  ) async throws(ReactorError) -> [String] {
    try await run(DocumentStatements.names, StateDocument(kind, prefix)).compactMap { $0.text(0) }
  }

  package func lockIfFree(_ document: StateDocument) async throws(ReactorError) -> (any DocumentLock)? {
    // What cannot be sealed is found out before a server replaces what is stored here.
    _ = try sealed([], of: document)
    let locker = TableLoad.newID()
    let rows = try await run(DocumentStatements.lock, document, [locker, lease.text])
    guard let fence = rows.first?.integer(0) else { return nil }
    return DatabaseDocumentLock(document, in: self, locker: locker, fence: fence, lease: lease, delay: delay)
  }

  // MARK: - Statements

  func sealed(_ bytes: [UInt8], of document: StateDocument) throws(ReactorError) -> [UInt8] {
    do throws(SealError) {
      return try DocumentSeal.seal(bytes, of: document, with: key)
    } catch {
      throw failure(error, of: document)
    }
  }

  /// Runs a statement whose first values are the kind and the name of a document.
  func run(
    _ sql: String, _ document: StateDocument, _ values: [String] = [], for patience: Duration = .seconds(30)
  ) async throws(ReactorError) -> [StateRow] {
    // PostgreSQL has no text with NUL, and libpq would cut the name there.
    guard !document.name.utf8.contains(0) else {
      throw .persistence("the name of a document contains a NUL character", path: location(of: document))
    }
    do throws(SQLError) {
      return try await database.run(sql, [document.kind.rawValue, document.name] + values, for: patience)
    } catch {
      throw .sharedState(error)
    }
  }

  private func failure(_ error: SealError, of document: StateDocument) -> ReactorError {
    var failure = ReactorError.persistence("\(location(of: document)) \(error.message)", path: location(of: document))
    failure.help = error.help
    return failure
  }
}
