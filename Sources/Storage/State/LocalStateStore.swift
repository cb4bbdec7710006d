internal import ByteCodings
package import ReactorCore

/// Stores documents in files below a root: `.reactor/jobs/NAME`, `.reactor/notices/NAME.json` and
/// `.reactor/auth/NAME.json`.
///
/// Only the owner may read the files (mode 0600) and access the folder of the tokens (mode 0700). A file is replaced at
/// once. Characters of a name other than letters, digits, `-`, `_` and `.` are percent-encoded.
package struct LocalStateStore: StateStore {
  private let root: OutputRoot
  private let tokenRoot: OutputRoot
  private let shownRoot: String

  package let longestPause = Duration.milliseconds(50)

  /// Creates a store; no file is opened.
  ///
  /// - Parameters:
  ///   - root: the root of the jobs and notices
  ///   - tokenRoot: the folder below which tokens are stored
  package init(root: OutputRoot, tokenRoot: String) {
    self.root = root
    // Other users cannot replace files in a folder that only its owner may access.
    self.tokenRoot = OutputRoot(path: tokenRoot, allowsSharedFolders: true, isPrivate: true, threads: 1)
    shownRoot = tokenRoot.isEmpty || tokenRoot == "." ? "" : tokenRoot.hasSuffix("/") ? tokenRoot : tokenRoot + "/"
  }

  /// Creates a store with all documents below one folder; no file is opened.
  package init(path: String) { self.init(root: OutputRoot(path: path, threads: 1), tokenRoot: path) }

  package func seals(_ kind: StateDocument.Kind) -> Bool { false }

  package func location(of document: StateDocument) -> String {
    switch document.kind {
    case .jobs, .notices: document.path.text
    case .tokens: shownRoot + document.path.text
    }
  }

  package func read(_ document: StateDocument) async throws(ReactorError) -> [UInt8]? {
    switch document.kind {
    // A job whose file cannot be read counts as none: the flow creates another one.
    case .jobs: return try? await root.note(document.fileName, in: .jobs)
    case .notices: return try await root.note(document.fileName, in: .notices)
    case .tokens:
      do throws(ReactorError) {
        guard let file = try await tokenRoot.open(document.path) else { return nil }
        return try await file.bytes(from: 0, count: Int(clamping: min(file.size, Self.largest)))
      } catch {
        if error.kind == .cancelled { throw error }
        throw .persistence(error.description, path: location(of: document))
      }
    }
  }

  private static let largest: Int64 = 256 << 20

  package func write(_ bytes: [UInt8], as document: StateDocument) async throws(ReactorError) {
    switch document.kind {
    case .jobs, .notices: try await root.saveNote(bytes, as: document.fileName, in: document.kind.notes)
    case .tokens:
      let lock = try await lock(
        document, otherwise: "another process has held the lock of \(location(of: document)) for a minute")
      do throws(ReactorError) {
        try await lock.write(bytes)
      } catch {
        await lock.release()
        throw error
      }
      await lock.release()
    }
  }

  package func remove(_ document: StateDocument) async {
    await root(of: document.kind).removeNote(document.fileName, in: document.kind.notes)
  }

  package func names(of kind: StateDocument.Kind, withPrefix prefix: String) async throws(ReactorError) -> [String] {
    try await root(of: kind).noteNames(withPrefix: "", in: kind.notes)
      .compactMap { StateDocument.name(inFile: $0, of: kind) }.filter { $0.utf8.starts(with: prefix.utf8) }
  }

  package func lockIfFree(_ document: StateDocument) async throws(ReactorError) -> (any DocumentLock)? {
    let root = root(of: document.kind)
    return try await root.lockIfFree(document.path).map { LocalDocumentLock($0, document, in: root) }
  }

  private func root(of kind: StateDocument.Kind) -> OutputRoot { kind == .tokens ? tokenRoot : root }
}

/// A document in a file that no other task or process replaces.
private struct LocalDocumentLock: DocumentLock {
  private let lock: PathLock
  private let document: StateDocument
  private let root: OutputRoot

  init(_ lock: PathLock, _ document: StateDocument, in root: OutputRoot) {
    self.lock = lock
    self.document = document
    self.root = root
  }

  func write(_ bytes: [UInt8]) async throws(ReactorError) {
    switch document.kind {
    case .jobs, .notices: try await root.saveNote(bytes, as: document.fileName, in: document.kind.notes)
    case .tokens:
      _ = try await lock.publish(
        bytes, Provenance(writtenAt: WallClock.system.milliseconds, resource: 0, schema: 0, recordCount: 0))
    }
  }

  func release() async { lock.release() }
}

extension StateDocument.Kind {
  fileprivate var notes: OutputRoot.NoteFolder {
    switch self {
    case .jobs: .jobs
    case .tokens: .auth
    case .notices: .notices
    }
  }
  /// The ending that file names have, and names of documents do not.
  fileprivate var ending: String { self == .jobs ? "" : ".json" }
}

extension StateDocument {
  fileprivate var path: OutputPath { .state(fileName, in: kind.notes.rawValue) }

  /// The name of the file. It neither begins with a dot nor ends like a file that is not complete.
  fileprivate var fileName: String {
    var bytes: [UInt8] = []
    let (dot, text) = (UInt8(ascii: "."), Array(name.utf8))
    let isTemporary = name.hasSuffix(".tmp")
    for (index, byte) in text.enumerated() {
      let isPlain = ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.".utf8.contains(byte)
      let isHidden = byte == dot && (index == 0 || isTemporary && index == text.count - 4)
      if isPlain && !isHidden { bytes.append(byte) } else { PercentCoding.appendEscape(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self) + kind.ending
  }

  /// The name of the document in a file; nil for other files.
  fileprivate static func name(inFile file: String, of kind: Kind) -> String? {
    guard !file.hasPrefix("."), file.hasSuffix(kind.ending) else { return nil }
    return PercentCoding.decode(file.dropLast(kind.ending.count))
  }
}
