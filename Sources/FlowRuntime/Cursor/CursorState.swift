internal import ByteCodings
internal import FlowTerms
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// What a flow remembers with its result: up to where it is complete, and what it knows of its parents.
///
/// It is persisted in the result's stamp, which only counts for the content that it was written with. What is known of parents is
/// a file of its own, named by its content, which the stamp names in turn; it is on the medium before the stamp is.
struct CursorState: Sendable, Hashable {
  /// More bytes than a stamp has room for.
  static let maximumValueBytes = 1024

  /// The greatest value of the cursor's field, of a flow without parents.
  var value: String?
  /// The same for each parent, by the parent's identity.
  var parents: [String: String] = [:]
  /// Digests of the parents' records that were last asked for with success, by identity; for `only: changed`.
  var asked: [String: String] = [:]
  /// Which records of the result belong to which parent, in the order of the result; for `mode: replace`.
  var records: [ParentRecords] = []
  /// What the records belong to, hashed: their flow and request, whatever is expected of the whole result.
  var source: UInt64?
  /// What identifies the parents (`ParentIdentity.words`); nil where a version before this one wrote the state.
  var identity: String?

  var isEmpty: Bool { value == nil && parents.isEmpty && asked.isEmpty && records.isEmpty }

  init(value: String? = nil, parents: [String: String] = [:]) {
    self.value = value
    self.parents = parents
  }

  /// Takes the greater one of what is known and what was found.
  mutating func advance(_ key: String?, to text: String, of kind: CursorTerms.Kind) throws(ReactorError) {
    guard text.utf8.count <= Self.maximumValueBytes else {
      throw .parser(
        "a value of the cursor's field has more than \(Self.maximumValueBytes) bytes and cannot be remembered")
    }
    guard let found = CursorValue(text, of: kind) else { return }
    let known = (key.map { parents[$0] } ?? value).flatMap { CursorValue($0, of: kind) }
    if let known, known >= found { return }
    if let key { parents[key] = text } else { value = text }
  }

  /// Takes what a run found out about its parents.
  ///
  /// - Parameter mode: what becomes of the records that are there. An appended result cannot hold a parent's records once
  ///   if the parent is asked for anew when it comes back; so of such a one nothing is forgotten.
  mutating func take(_ ledger: EachLedger, _ mode: PersistenceMode) {
    asked.merge(ledger.asked) { _, new in new }
    if mode == .replace { records = ledger.records }
    guard ledger.isWhole, mode != .append else { return }
    parents = parents.filter { ledger.seen.contains($0.key) }
    asked = asked.filter { ledger.seen.contains($0.key) }
  }

  /// Forgets one parent, so that it is asked for as if for the first time.
  mutating func forget(_ key: String) {
    parents[key] = nil
    asked[key] = nil
  }

  /// Forgets up to where the result is complete; which records belong to which parent stays true.
  mutating func forget() {
    value = nil
    parents = [:]
    asked = [:]
  }

  // MARK: - Retention

  /// What the stamp says of it; nil for nothing. What is known of parents is brought to the medium first.
  func stored(in root: OutputRoot, for path: OutputPath) async throws(ReactorError) -> String? {
    if let value { return "=" + value }
    guard !isEmpty else { return nil }
    let bytes = CursorStateFile.bytes(of: self)
    let name = Hex.text(ContentHash.of(bytes))
    try await root.keep(bytes, as: Self.prefix(path) + name)
    return "@" + name
  }

  /// What a stamp says; nil when what is known of parents is gone or damaged.
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
    guard let bytes = try await root.kept(Self.prefix(path) + name), Hex.text(ContentHash.of(bytes)) == name,
      let state = CursorStateFile.state(of: bytes)
    else { return nil }
    self = state
  }

  /// Removes what is known of parents that no stamp of a path names any more.
  static func tidy(_ root: OutputRoot, for path: OutputPath, keeping text: String?) async {
    await root.forget(beginningWith: prefix(path), except: prefix(path) + (text?.dropFirst() ?? ""))
  }

  private static func prefix(_ path: OutputPath) -> String { Hex.text(ContentHash.of(path.text.utf8)) + "." }
}
