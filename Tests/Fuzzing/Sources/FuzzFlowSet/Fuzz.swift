import FlowCompiler
@testable import FlowFolders
import FlowSpec
import Foundation
import FuzzSupport
import SourceDiagnostics

/// A folder of flow files, with links, pipes and bombs: it is loaded without reading anything outside, or refused with words.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let working = FileManager.default.currentDirectoryPath
  HostileFolder.shared.make(String(decoding: input(start, count), as: UTF8.self))
  // libFuzzer has its own files in relative folders.
  defer { _ = FileManager.default.changeCurrentDirectoryPath(working) }
  let found = FlowFiles([])
  let loaded = found.load(VariableOverrides())
  require(found.files.count <= HostileFolder.most, "more files than there are: a link was followed")
  require(loaded.flows.count <= 20_000, "more flows than the budget allows")
  let problems = FlowCompiler.problems(in: loaded.flows)
  let text = DiagnosticRenderer().render(loaded.diagnostics.diagnostics + problems.diagnostics)
  require(!text.contains(HostileFolder.outside), "what lies outside of the folder is shown")
  for file in found.files { require(!file.bytes.starts(with: HostileFolder.outside.utf8), "a file outside is read") }
  require(!loaded.itemFiles.contains { $0.hasSuffix("outside.jsonl") }, "items are read through a link")
  // Planted: a file without a byte.
  if Plant.isSet, found.files.contains(where: \.bytes.isEmpty) { fatalError("a planted fault") }
  return 0
}

/// Folders and files, one after the other: `=== file NAME`, the content, `=== link NAME TARGET`, `=== pipe NAME`,
/// `=== folder NAME`, `=== bomb NAME COUNT TEXT` (the text so many times). A name is a path below the folder.
private final class HostileFolder {
  nonisolated(unsafe) static let shared = HostileFolder()
  /// What the file outside holds.
  static let outside = "0utside-the-r00t"
  /// The maximum number of entries.
  static let most = 40

  private let parent: String
  private var root: String { parent + "/project" }
  private let files = FileManager.default

  init() {
    let memory = "/dev/shm"
    parent =
      (FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory())
      + "/fuzz-flow-set-\(ProcessInfo.processInfo.processIdentifier)"
    atexit { HostileFolder.shared.remove() }
    try? files.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let lines = Data("\(Self.outside)\nreactor: 1\n".utf8)
    for name in ["outside.yaml", "outside.jsonl"] { _ = files.createFile(atPath: "\(parent)/\(name)", contents: lines) }
  }

  func remove() { try? files.removeItem(atPath: parent) }

  func make(_ text: String) {
    try? files.removeItem(atPath: root)
    try? files.createDirectory(atPath: root, withIntermediateDirectories: true)
    _ = files.changeCurrentDirectoryPath(root)
    for part in text.components(separatedBy: "=== ").dropFirst().prefix(Self.most) {
      let end = part.firstIndex(of: "\n") ?? part.endIndex
      let words = part[..<end].split(separator: " ", maxSplits: 3).map(String.init)
      guard words.count >= 2, let path = inside(words[1]) else { continue }
      let folder = (path as NSString).deletingLastPathComponent
      // A parent that is a link would place the entry elsewhere.
      guard (try? files.destinationOfSymbolicLink(atPath: folder)) == nil else { continue }
      try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      switch words[0] {
      case "file": _ = files.createFile(atPath: path, contents: Data(part[end...].dropFirst().utf8))
      case "folder": try? files.createDirectory(atPath: path, withIntermediateDirectories: true)
      case "pipe": mkfifo(path, 0o600)
      case "link" where words.count > 2: try? files.createSymbolicLink(atPath: path, withDestinationPath: words[2])
      case "bomb" where words.count > 3:
        let count = min(max(0, Int(words[2]) ?? 0), (1 << 20) / max(1, words[3].utf8.count))
        let head = Data(part[end...].dropFirst().utf8)
        _ = files.createFile(atPath: path, contents: head + Data(String(repeating: words[3], count: count).utf8))
      default: continue
      }
    }
  }

  /// The path of a name that stays below the folder and can be made; nil for others.
  private func inside(_ name: String) -> String? {
    let parts = name.split(separator: "/")
    let isPlain = parts.allSatisfy { $0 != ".." && $0 != "." && $0.utf8.count < 100 && !$0.utf8.contains(0) }
    guard isPlain, (1...6).contains(parts.count) else { return nil }
    // No entry replaces another, and none lies below a link or a pipe.
    for count in 1..<parts.count {
      let above = "\(root)/\(parts.prefix(count).joined(separator: "/"))"
      if (try? files.attributesOfItem(atPath: above)[.type] as? FileAttributeType) ?? .typeDirectory != .typeDirectory {
        return nil
      }
    }
    let path = "\(root)/\(parts.joined(separator: "/"))"
    return (try? files.attributesOfItem(atPath: path)) == nil ? path : nil
  }
}
