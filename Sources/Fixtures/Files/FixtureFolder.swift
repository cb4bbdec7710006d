internal import Storage
internal import TimeSyntax

/// The fixtures of one flow on disk: `cassette.yaml`, `bodies/`, the goldens, and the pending goldens, which wait for a
/// decision.
package struct FixtureFolder: Sendable, Hashable {
  /// The file name of the golden records, JSON Lines.
  package static let records = "records.jsonl"
  /// The file name of the golden decisions.
  package static let decisions = "flow.json"
  /// The ending of the file name of a pending golden, which waits for a decision.
  package static let pending = ".new"
  /// The file name of the recording.
  static let cassette = "cassette.yaml"

  /// The folder of all fixtures, as the user wrote it.
  package let root: String
  /// The flow's id, which is the folder's name.
  package let flow: String

  /// Creates a reference to the folder of a flow. Does not access the disk.
  package init(root: String, flow: String) {
    self.root = root
    self.flow = flow
  }

  /// The path of the folder.
  package var path: String { root.isEmpty ? flow : root.hasSuffix("/") ? root + flow : "\(root)/\(flow)" }

  /// Returns the path of a file in the folder.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of the cassette.
  package var cassettePath: String { path(Self.cassette) }

  /// The path of the recorded rows of a database that the flow uses as a parent; the parents are numbered from 0.
  package func rowsPath(_ parent: Int) -> String { path("parents-\(parent).jsonl") }

  /// Loads the recording; nil when there is none.
  ///
  /// - Parameter leavesLarge: whether large bodies, and those after the first 8 MiB, stay in their files. Bodies that
  ///   stay in their files must not be compared with other bodies.
  package func load(leavesLarge: Bool = false) throws(FixtureError) -> Cassette? {
    guard let bytes = try FixtureFiles.read(cassettePath) else { return nil }
    var room = leavesLarge ? 8 << 20 : Int.max
    return try CassetteReader.read(bytes, path: cassettePath) { (name) throws(FixtureError) in
      let largest = leavesLarge ? min(room, FixtureContent.largestHeld) : room
      guard let content = try FixtureContent(file: path(name), heldUpTo: largest) else {
        throw FixtureError("'\(path(name))' is missing", help: "record the flow again, or restore the file")
      }
      if case .held(let bytes) = content, leavesLarge { room -= bytes.count }
      return content
    }
  }

  /// The time of the recording, in seconds since 1970. Nil when there is no recording.
  ///
  /// Only the beginning of the file is read, if that is sufficient.
  package var recordedAt: Int64? {
    guard let head = FixtureFiles.beginning(of: cassettePath, 1024) else { return nil }
    let name = "recorded_at: \""
    for line in String(decoding: head, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name) {
      return InstantText.seconds(String(line.dropFirst(name.count).prefix { $0 != "\"" }))
    }
    // A person may have written the file in another notation, so the whole file is parsed.
    return ((try? load()) ?? nil).flatMap { InstantText.seconds($0.recordedAt) }
  }

  /// Replaces the recording as a whole: if the process is killed, the old recording or the new one is on disk.
  ///
  /// - Parameter scan: finds secrets, which must not be in a recording
  /// - Returns: whether anything on disk changed
  @discardableResult
  package func save(_ cassette: Cassette, scan: SecretScan) throws(FixtureError) -> Bool {
    let files = try cassette.files
    for file in files {
      guard let name = (scan.survivors(in: file.bytes) + scan.survivors(in: Array(file.path.utf8))).first else {
        continue
      }
      try remove()
      throw FixtureError(
        "the secret '\(name)' was still in '\(path(file.path))', so the recording was removed",
        help:
          "the server encodes the secret in an unknown way; leave out the field with it, or do not record the flow"
      )
    }
    FixtureFiles.removeTree(unfinished)
    try protectBodies()
    guard try !isRecorded(files) else { return false }
    for file in files { try FixtureFiles.write(file.bytes, to: "\(unfinished)/\(file.path)") }
    for name in FixtureFiles.files(below: path) where !isOfRecording(name) {
      guard let bytes = try FixtureFiles.read(path(name)) else { continue }
      try FixtureFiles.write(bytes, to: "\(unfinished)/\(name)")
    }
    if FixtureFiles.exists(path), !WholeFile.exchange(unfinished, path) {
      // This file system cannot exchange folders: for a moment there is none.
      FixtureFiles.removeTree(path)
    }
    try FixtureFiles.rename(unfinished, path)
    return true
  }

  /// The folder in which a recording is written until it is complete. No flow can have a name that begins with a dot.
  private var unfinished: String { FixtureFolder(root: root, flow: ".\(flow).recording").path }

  private func isOfRecording(_ name: String) -> Bool {
    name == Self.cassette || name.hasPrefix("bodies/") || name.hasSuffix(WholeFile.unfinished)
  }

  /// Whether the recording on disk has exactly these files.
  private func isRecorded(_ files: [Cassette.File]) throws(FixtureError) -> Bool {
    let present = FixtureFiles.files(below: path).filter { isOfRecording($0) }
    guard Set(present) == Set(files.map(\.path)) else { return false }
    for file in files where try !FixtureFiles.holds(path(file.path), file.bytes) { return false }
    return true
  }

  /// Removes the recording; the goldens stay.
  private func remove() throws(FixtureError) {
    for name in FixtureFiles.files(below: path) where isOfRecording(name) { try FixtureFiles.remove(path(name)) }
    FixtureFiles.removeFolder(path("bodies"))
  }

  /// Tells Git to leave all files as they are: bodies have the line ends that the server sent.
  private func protectBodies() throws(FixtureError) {
    let attributes = FixtureFolder(root: root, flow: ".gitattributes").path
    guard !FixtureFiles.exists(attributes) else { return }
    try FixtureFiles.write(Array("* -text\n".utf8), to: attributes)
  }

  /// Whether a golden has these bytes.
  package func isGolden(_ name: String, _ bytes: FixturePieces) throws(FixtureError) -> Bool {
    try bytes.equal(fileAt: path(name))
  }

  /// Whether a golden has these bytes.
  package func isGolden(_ name: String, _ bytes: [UInt8]) throws(FixtureError) -> Bool {
    try FixtureFiles.holds(path(name), bytes)
  }

  /// Returns the bytes of a golden; nil when there is none.
  package func golden(_ name: String) throws(FixtureError) -> [UInt8]? { try FixtureFiles.read(path(name)) }

  /// The names of the goldens that have a pending replacement.
  package var waiting: [String] {
    [Self.records, Self.decisions].filter { name in
      FixtureFiles.entries(of: path).contains { $0.name == name + Self.pending }
    }
  }

  /// Replaces a golden with its pending replacement.
  package func accept(_ name: String) throws(FixtureError) {
    guard let bytes = try golden(name + Self.pending) else { return }
    try FixtureFiles.write(bytes, to: path(name))
    try FixtureFiles.remove(path(name + Self.pending))
  }

  /// Removes the pending replacement of a golden.
  package func reject(_ name: String) throws(FixtureError) { try FixtureFiles.remove(path(name + Self.pending)) }

  /// Returns the fixture folders of all flows that have fixtures, sorted by id.
  package static func all(in root: String) -> [FixtureFolder] {
    FixtureFiles.entries(of: root).filter { $0.isFolder && !$0.name.hasPrefix(".") }.map {
      FixtureFolder(root: root, flow: $0.name)
    }
  }
}
