internal import TimeSyntax

/// The fixtures of one flow on disk: `cassette.yaml`, `bodies/`, the goldens, and what waits for a decision.
package struct FixtureFolder: Sendable, Hashable {
  /// The golden records, JSON Lines.
  package static let records = "records.jsonl"
  /// The golden decisions.
  package static let decisions = "flow.json"
  /// What a golden that waits for a decision ends with.
  package static let pending = ".new"
  /// The recording.
  static let cassette = "cassette.yaml"

  /// The folder of all fixtures, as the user named it.
  package let root: String
  /// The flow's id, which is the folder's name.
  package let flow: String

  /// Names the folder of a flow; nothing is touched.
  package init(root: String, flow: String) {
    self.root = root
    self.flow = flow
  }

  /// The folder's path.
  package var path: String { root.isEmpty ? flow : root.hasSuffix("/") ? root + flow : "\(root)/\(flow)" }

  /// A file's path.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The cassette's path.
  package var cassettePath: String { path(Self.cassette) }

  /// The recording; nil when there is none.
  package func load() throws(FixtureError) -> Cassette? {
    guard let bytes = try FixtureFiles.read(cassettePath) else { return nil }
    return try CassetteReader.read(bytes, path: cassettePath) { (name) throws(FixtureError) in
      guard let bytes = try FixtureFiles.read(path(name)) else {
        throw FixtureError("'\(path(name))' is missing", help: "record the flow again, or restore the file")
      }
      return bytes
    }
  }

  /// When it was recorded, in seconds since 1970: only the beginning of the file is read. Nil when there is none.
  package var recordedAt: Int64? {
    guard let head = FixtureFiles.beginning(of: cassettePath, 1024) else { return nil }
    let name = "recorded_at: \""
    for line in String(decoding: head, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name) {
      return InstantText.seconds(String(line.dropFirst(name.count).prefix { $0 != "\"" }))
    }
    // Written by hand, perhaps.
    return ((try? load()) ?? nil).flatMap { InstantText.seconds($0.recordedAt) }
  }

  /// Writes a recording; when a secret is left in it, removes all of it again.
  ///
  /// - Parameter scan: knows the secrets.
  /// - Returns: whether anything on disk changed.
  @discardableResult
  package func save(_ cassette: Cassette, scan: SecretScan) throws(FixtureError) -> Bool {
    let files = cassette.files
    var hasChanged = false
    // The list comes last: a reader never finds one that names what is not there yet.
    for file in files.reversed() where try FixtureFiles.write(file.bytes, to: path(file.path)) { hasChanged = true }
    let written = Set(files.map(\.path))
    for name in FixtureFiles.files(below: path("bodies")) where !written.contains("bodies/\(name)") {
      try FixtureFiles.remove(path("bodies/\(name)"))
      hasChanged = true
    }
    FixtureFiles.removeFolder(path("bodies"))
    // What a process that was killed had begun to write.
    for entry in FixtureFiles.entries(of: path) where entry.name.hasSuffix(FixtureFiles.unfinished) {
      try FixtureFiles.remove(path(entry.name))
    }
    for file in files {
      let written = try FixtureFiles.read(path(file.path)) ?? []
      let survivors = scan.survivors(in: written) + scan.survivors(in: Array(file.path.utf8))
      guard let name = survivors.first else { continue }
      for file in files { try FixtureFiles.remove(path(file.path)) }
      FixtureFiles.removeFolder(path("bodies"))
      throw FixtureError(
        "the secret '\(name)' was still in '\(path(file.path))', so the recording was removed",
        help:
          "the server sends it in a form that is not known; drop the field that holds it, or do not record this flow")
    }
    return hasChanged
  }

  /// A golden's bytes; nil when there is none.
  package func golden(_ name: String) throws(FixtureError) -> [UInt8]? { try FixtureFiles.read(path(name)) }

  /// The names of goldens that wait for a decision.
  package var waiting: [String] {
    [Self.records, Self.decisions].filter { name in
      FixtureFiles.entries(of: path).contains { $0.name == name + Self.pending }
    }
  }

  /// Takes what waits as the golden.
  package func accept(_ name: String) throws(FixtureError) {
    guard let bytes = try golden(name + Self.pending) else { return }
    try FixtureFiles.write(bytes, to: path(name))
    try FixtureFiles.remove(path(name + Self.pending))
  }

  /// Drops what waits.
  package func reject(_ name: String) throws(FixtureError) { try FixtureFiles.remove(path(name + Self.pending)) }

  /// The flows that have fixtures, by id.
  package static func all(in root: String) -> [FixtureFolder] {
    FixtureFiles.entries(of: root).filter(\.isFolder).map { FixtureFolder(root: root, flow: $0.name) }
  }
}
