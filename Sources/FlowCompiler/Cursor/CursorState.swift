internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Up to where a flow's result is complete: the greatest value of its cursor's field, or one for each parent.
///
/// It is kept in the result's stamp, which only counts for the content that it was written with. The values of parents are a
/// file of their own, named by its content, which the stamp names in turn; it is on the medium before the stamp is.
struct CursorState: Sendable, Hashable {
  /// More bytes than a stamp has room for.
  static let largestValue = 1024

  /// Of a flow without parents.
  var value: String?
  /// By the parents' keys.
  var parents: [String: String] = [:]

  var isEmpty: Bool { value == nil && parents.isEmpty }

  /// Takes the greater one of what is known and what was found.
  mutating func advance(_ key: String?, to text: String, of kind: CursorDeclaration.Kind) throws(ReactorError) {
    guard text.utf8.count <= Self.largestValue else {
      throw .parser("a value of the cursor's field has more than \(Self.largestValue) bytes and cannot be remembered")
    }
    guard let found = CursorValue(text, of: kind) else { return }
    let known = (key.map { parents[$0] } ?? value).flatMap { CursorValue($0, of: kind) }
    if let known, known >= found { return }
    if let key { parents[key] = text } else { value = text }
  }

  // MARK: - Keeping

  /// What the stamp says of it; nil for nothing. The values of parents are brought to the medium first.
  func stored(in root: OutputRoot, for path: OutputPath) async throws(ReactorError) -> String? {
    if let value { return "=" + value }
    guard !parents.isEmpty else { return nil }
    let members = parents.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }
    let bytes = JSONWriter.bytes(.object(JSONObject(members))) + [0x0A]
    let name = Self.hex(ContentHash.of(bytes))
    try await root.keep(bytes, as: Self.prefix(path) + name)
    return "@" + name
  }

  /// What a stamp says; nil when its values of parents are gone or damaged.
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
    guard let bytes = try await root.kept(Self.prefix(path) + name), Self.hex(ContentHash.of(bytes)) == name,
      case .object(let object)? = try? JSONValue(parsing: bytes)
    else { return nil }
    var parents: [String: String] = [:]
    for member in object.members { parents[member.name] = member.value.string }
    self.init(parents: parents)
  }

  /// Removes the values of parents that no stamp of a path names any more.
  static func tidy(_ root: OutputRoot, for path: OutputPath, keeping text: String?) async {
    await root.forget(beginningWith: prefix(path), except: prefix(path) + (text?.dropFirst() ?? ""))
  }

  init(value: String? = nil, parents: [String: String] = [:]) {
    self.value = value
    self.parents = parents
  }

  private static func prefix(_ path: OutputPath) -> String { hex(ContentHash.of(path.text.utf8)) + "." }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
