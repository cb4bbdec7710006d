internal import ByteCodings
internal import ReactorCore
internal import Storage

/// The lock of a document in the shared state: a lease, which is renewed until the release.
final class DatabaseDocumentLock: DocumentLock {
  private let document: StateDocument
  private let store: DatabaseDocuments
  private let locker: String
  private let fence: Int64
  private let renewal: Task<Void, Never>

  /// What replaces the document may exist nowhere else, so it is sent again for longer than other statements.
  private static let patience = Duration.seconds(120)

  init(
    _ document: StateDocument, in store: DatabaseDocuments, locker: String, fence: Int64, lease: Duration, delay: Delay
  ) {
    self.document = document
    self.store = store
    self.locker = locker
    self.fence = fence
    renewal = Task {
      while !Task.isCancelled {
        do { try await delay.wait(lease / 3) } catch { return }
        _ = try? await store.run(DocumentStatements.renew, document, [locker, lease.text], for: lease / 3)
      }
    }
  }

  deinit { renewal.cancel() }

  func write(_ bytes: [UInt8]) async throws(ReactorError) {
    let text = Hex.text(try store.sealed(bytes, of: document))
    let rows = try await store.run(
      DocumentStatements.writeLocked, document, [text, locker, String(fence)], for: Self.patience)
    guard rows.isEmpty else { return }
    let shown = store.location(of: document)
    var error = ReactorError.persistence(
      "another process has locked \(shown) meanwhile, because this one did not renew its lock in time", path: shown)
    error.help = "this process was stopped, or could not reach the database, for longer than REACTOR_LEASE: raise it"
    throw error
  }

  func release() async {
    renewal.cancel()
    // A lock that cannot be released ends with its lease.
    _ = try? await store.run(DocumentStatements.release, document, [locker], for: .seconds(5))
  }
}
