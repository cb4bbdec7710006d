import Foundation
import Storage
import Testing

@Suite struct WholeFileTests {
  private static func folder() throws -> String {
    let path = NSTemporaryDirectory() + "whole-file-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func `a replaced file keeps its mode, and what a killed process left is removed`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (target, leftover) = ("\(folder)/target", "\(folder)/.target.reactor-tmp")
    try WholeFile.replace(target) { Array("old".utf8) }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
    try Data("half".utf8).write(to: URL(fileURLWithPath: leftover))

    try WholeFile.replace(target) { Array("new".utf8) }

    let found = try #require(try WholeFile.read(target, limit: 10))
    #expect(found.bytes == Array("new".utf8))
    #expect(found.mode & 0o777 == 0o640)
    #expect(try WholeFile.names(in: folder) == ["target"])
  }

  /// Where a link is in the path of a file: the file itself, the folder above it, or one further up.
  enum LinkPosition: CaseIterable { case file, folder, above }

  @Test(arguments: LinkPosition.allCases)
  func `no link is followed, neither for reading nor for writing`(_ position: LinkPosition) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outside = "\(folder)/outside"
    try WholeFile.replace("\(outside)/b/victim") { Array("precious\n".utf8) }
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder)/root/a/b", withIntermediateDirectories: true)
    let path: String
    switch position {
    case .file:
      path = "\(folder)/root/a/b/victim"
      try files.createSymbolicLink(atPath: path, withDestinationPath: "\(outside)/b/victim")
    case .folder:
      try files.createSymbolicLink(atPath: "\(folder)/root/link", withDestinationPath: "\(outside)/b")
      path = "\(folder)/root/link/victim"
    case .above:
      try files.createSymbolicLink(atPath: "\(folder)/root/link", withDestinationPath: outside)
      path = "\(folder)/root/link/b/victim"
    }
    func refuses(_ work: () throws(WholeFile.AccessError) -> Void) {
      let error = #expect(throws: WholeFile.AccessError.self) { try work() }
      #expect(error?.message.contains("is a symbolic link, and links are not followed") ?? false)
    }
    refuses { () throws(WholeFile.AccessError) in _ = try WholeFile.read(path, limit: 10) }
    refuses { () throws(WholeFile.AccessError) in try WholeFile.replace(path) { [] } }
    refuses { () throws(WholeFile.AccessError) in
      try LineLog.append(Array("line\n".utf8), to: path, limit: 1000) { $0 }
    }
    refuses { () throws(WholeFile.AccessError) in _ = try WholeFile.openForWriting(path, flags: O_WRONLY | O_TRUNC) }
    if position != .file {
      refuses { () throws(WholeFile.AccessError) in try WholeFile.replace("\(folder)/root/link/new") { [] } }
      refuses { () throws(WholeFile.AccessError) in
        _ = try WholeFile.names(in: String(path.dropLast("/victim".count)))
      }
    }
    #expect(try WholeFile.read("\(outside)/b/victim", limit: 100)?.bytes == Array("precious\n".utf8))
    #expect(try WholeFile.names(in: "\(outside)/b") == ["victim"])
    // What a person names may be read through links.
    #expect(try WholeFile.read(named: path, limit: 100)?.bytes == Array("precious\n".utf8))
    let resolved = WholeFile.resolvingFolders(of: path)
    #expect(position == .file ? resolved == path : resolved == "\(outside)/b/victim")
  }

  @Test func `a pipe is no file of a project, and nobody waits for its other end`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pipe = "\(folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let refused = WholeFile.AccessError(message: "'pipe' is not a regular file")
    #expect(throws: refused) { try WholeFile.read(pipe, limit: 1) }
    #expect(throws: WholeFile.AccessError.self) { try WholeFile.replace(pipe) { [] } }
    #expect(throws: refused) { try LineLog.append([], to: pipe, limit: 1) { $0 } }
  }

  @Test func `a file that is too large gives one byte more than the limit, and a missing one gives nil`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try WholeFile.replace("\(folder)/a/b") { [UInt8](repeating: 7, count: 100_000) }
    #expect(try WholeFile.read("\(folder)/a/b", limit: 70_000)?.bytes.count == 70_001)
    #expect(try WholeFile.read("\(folder)/a/c", limit: 1)?.bytes == nil)
    #expect(try WholeFile.names(in: "\(folder)/c") == nil)
    #expect(throws: WholeFile.AccessError.self) { try WholeFile.read(folder, limit: 1) }
  }
}
