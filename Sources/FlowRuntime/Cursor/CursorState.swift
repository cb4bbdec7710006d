internal import ByteCodings
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// The state that a flow remembers with its result.
///
/// It contains the cursor values, and data about the parents: digests of their records, and which of the result's
/// records belong to which parent.
///
/// The stamp of the result contains the cursor value itself, or the name of a file with the data about the parents.
/// That file is named by a digest of its content, and is written to the disk before the stamp. A stamp is valid only
/// for the content with which it was written.
struct CursorState: Sendable, Hashable {
  /// The maximum size of a cursor value, in bytes. Some servers give the whole state of a synchronization as a token.
  static let maximumValueBytes = 64 << 10
  /// The maximum size of a value in a stamp, in bytes; a longer value is stored in a separate file, and the stamp
  /// contains the name of that file.
  private static let stampBytes = 1024

  /// The greatest value of the cursor's field, for a flow without parents.
  var value: String?
  /// The greatest value of the cursor's field for each parent, by the parent's identity.
  var parents: [String: String] = [:]
  /// Digests of the parents' records at their last successful request, by identity; for `only: changed`.
  var asked: [String: String] = [:]
  /// The groups of the result's records by parent, in the order of the result; for `mode: replace`.
  var records: [ParentRecords] = []
  /// A hash of all declarations that determine the requests and the records. It does not depend on the expectations
  /// that check the whole result.
  var source: UInt64?
  /// The fields that identify the parents (`ParentIdentity.words`); nil when an older version of reactor wrote the
  /// state.
  var identity: String?

  var isEmpty: Bool { value == nil && parents.isEmpty && asked.isEmpty && records.isEmpty }

  /// The position as text: the cursor value, or the number of known parents; nil when nothing is remembered.
  var position: String? {
    let count = max(parents.count, asked.count)
    return value ?? (count == 0 ? nil : count == 1 ? "1 parent" : "\(count) parents")
  }

  init(value: String? = nil, parents: [String: String] = [:]) {
    self.value = value
    self.parents = parents
  }

  /// Replaces the remembered value if the new value is greater. Tokens have no order, so a new token always replaces
  /// the old one.
  mutating func advance(_ key: String?, to text: String, of kind: Cursor.Kind) throws(ReactorError) {
    guard text.utf8.count <= Self.maximumValueBytes else {
      throw .parser(
        "a value of the cursor's field has more than \(Self.maximumValueBytes) bytes and cannot be remembered")
    }
    guard let found = Cursor.Value(text, of: kind) else { return }
    let known = (key.map { parents[$0] } ?? value).flatMap { Cursor.Value($0, of: kind) }
    if let known, known >= found, kind != .token { return }
    if let key { parents[key] = text } else { value = text }
  }

  /// Adds what a run learned about the parents.
  ///
  /// - Parameter mode: what happens to the records that are already persisted. With `append`, no parent is forgotten: a
  ///   forgotten parent that appears again would be requested from the start, and its records would be appended twice.
  mutating func take(_ ledger: EachLedger, _ mode: PersistenceMode) {
    asked.merge(ledger.asked) { _, new in new }
    if mode == .replace { records = ledger.records }
    guard ledger.isWhole, mode != .append else { return }
    parents = parents.filter { ledger.seen.contains($0.key) }
    asked = asked.filter { ledger.seen.contains($0.key) }
  }

  /// Forgets one parent, so that the next run requests it as if for the first time.
  mutating func forget(_ key: String) {
    parents[key] = nil
    asked[key] = nil
  }

  /// Forgets all cursor values and requested parents. The parents of the result's records are still known.
  mutating func forget() {
    value = nil
    parents = [:]
    asked = [:]
  }

  // MARK: - Retention

  /// Returns the text of the state for the stamp; nil for an empty state.
  ///
  /// Writes the data about the parents to the disk first.
  func stored(in root: OutputRoot, for path: OutputPath) async throws(ReactorError) -> String? {
    if let value, value.utf8.count <= Self.stampBytes { return "=" + value }
    guard !isEmpty else { return nil }
    let bytes = CursorStateFile.bytes(of: self)
    let name = Hex.text(ContentHash.of(bytes))
    try await root.saveNote(bytes, as: Self.prefix(path) + name)
    return "@" + name
  }

  /// The text of the state for the stamp of a table. Such a stamp contains the whole state, however long it is. Nil for
  /// an empty state.
  var inline: String? {
    if let value { return "=" + value }
    return isEmpty ? nil : String(decoding: CursorStateFile.bytes(of: self).dropLast(), as: UTF8.self)
  }

  /// Reads the state from the stamp of a table; nil when it is damaged.
  init?(inline text: String?, of table: String) throws(ReactorError) {
    guard let text else {
      self.init()
      return
    }
    if text.hasPrefix("=") {
      self.init(value: String(text.dropFirst()))
      return
    }
    guard let state = try CursorStateFile.state(of: Array(text.utf8), at: "the position of \(table)") else {
      return nil
    }
    self = state
  }

  /// Reads the state from the text in a stamp; nil when the file with the parents is missing or damaged.
  init?(_ text: String?, in root: OutputRoot, for path: OutputPath) async throws(ReactorError) {
    guard let text else {
      self.init()
      return
    }
    if text.hasPrefix("=") {
      self.init(value: String(text.dropFirst()))
      return
    }
    let name = String(text.dropFirst())
    guard let bytes = try await root.note(Self.prefix(path) + name), Hex.text(ContentHash.of(bytes)) == name,
      let state = try CursorStateFile.state(of: bytes, at: "the position of \(path.text)")
    else { return nil }
    self = state
  }

  /// Removes old files with data about the parents, which the stamp of the path no longer names.
  static func tidy(_ root: OutputRoot, for path: OutputPath, keeping text: String?) async {
    await root.removeNotes(withPrefix: prefix(path), except: prefix(path) + (text?.dropFirst() ?? ""))
  }

  private static func prefix(_ path: OutputPath) -> String { Hex.text(ContentHash.of(path.text.utf8)) + "." }
}
