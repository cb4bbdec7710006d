import Foundation
import Storage
import Testing

@Suite struct WholeFileTests {
  private static func folder() throws -> String {
    let path = NSTemporaryDirectory() + "whole-file-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func `a replaced file keeps its mode and the link that leads to it, and removes what a killed process left`()
    throws
  {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (target, link, leftover) = ("\(folder)/target", "\(folder)/link", "\(folder)/.target.reactor-tmp")
    try WholeFile.replace(target) { Array("old".utf8) }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
    try Data("half".utf8).write(to: URL(fileURLWithPath: leftover))

    try WholeFile.replace(link) { Array("new".utf8) }

    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
    let found = try #require(try WholeFile.read(target, limit: 10))
    #expect(found.bytes == Array("new".utf8))
    #expect(found.mode & 0o777 == 0o640)
    #expect(try WholeFile.names(in: folder)?.sorted() == ["link", "target"])
  }

  @Test func `a file that is too large gives one byte more than the limit, and a missing one gives nil`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try WholeFile.replace("\(folder)/a/b") { [UInt8](repeating: 7, count: 100_000) }
    #expect(try WholeFile.read("\(folder)/a/b", limit: 70_000)?.bytes.count == 70_001)
    #expect(try WholeFile.read("\(folder)/a/c", limit: 1)?.bytes == nil)
    #expect(try WholeFile.names(in: "\(folder)/c") == nil)
    #expect(throws: WholeFile.AccessError(message: "is a directory")) { try WholeFile.read(folder, limit: 1) }
  }
}
