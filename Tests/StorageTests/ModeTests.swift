import Foundation
import ReactorCore
import Storage
import Testing

/// One after the other, because the umask is the whole process's. Umask 0 is left out: folders that other tests make at the
/// same time would be refused.
@Suite(.serialized) struct ModeTests {
  @Test(arguments: [(0o002, 0o664, 0o775), (0o027, 0o640, 0o750), (0o022, 0o644, 0o755), (0o077, 0o600, 0o700)])
  func `new files and folders follow the umask`(_ mask: Int, _ file: Int, _ folder: Int) async throws {
    let scratch = try Scratch()
    let old = umask(mode_t(mask))
    defer { umask(old) }
    let root = scratch.root()
    _ = try await root.lock(try .good("a/b/x.json")).publish([1], .at(1))
    let staged = try await root.lock(try .good("a/b/big.json")).stage()
    try await staged.write(.noise(2 << 20))
    _ = try await staged.publish(.at(1))
    #expect(try scratch.mode("a") == folder)
    #expect(try scratch.mode("a/b") == folder)
    #expect(try scratch.mode("a/b/x.json") == file)
    #expect(try scratch.mode("a/b/big.json") == file)
    #expect(try scratch.mode("a/b/.reactor.stamps") == file)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o400])
  func `the mode of a file that is replaced is kept`(_ mode: Int) async throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "x.json")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path("x.json"))
    let lock = try await scratch.root().lock(try .good("x.json"))
    #expect(try await lock.publish(.noise(10), .at(1)).change == .replaced)
    #expect(try scratch.mode("x.json") == mode)
    #expect(try await lock.publish(.noise(2 << 20), .at(1)).change == .replaced)
    #expect(try scratch.mode("x.json") == mode)
  }

  @Test func `a file that came while a large content was written is replaced with its mode`() async throws {
    let scratch = try Scratch()
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    try await staged.write(.noise(2 << 20))
    try scratch.write("came meanwhile", to: "x.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: scratch.path("x.json"))
    #expect(try await staged.publish(.at(1)).change == .replaced)
    #expect(try scratch.mode("x.json") == 0o604)
  }

  @Test func `owner and group of a file that is replaced are kept as far as allowed`() async throws {
    guard geteuid() == 0 else {
      print("not root: owners cannot be given away here")
      return
    }
    let scratch = try Scratch()
    try scratch.write("old", to: "x.json")
    #expect(chown(scratch.path("x.json"), 12345, 54321) == 0)
    _ = try await scratch.root().lock(try .good("x.json")).publish([1], .at(1))
    var status = stat()
    #expect(stat(scratch.path("x.json"), &status) == 0)
    #expect(status.st_uid == 12345)
    #expect(status.st_gid == 54321)
  }

  @Test func `while it is written, what replaces a closed file is closed too`() async throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "x.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scratch.path("x.json"))
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    try await staged.write(.noise(2 << 20))
    let temp = try #require(try scratch.names().first { $0.hasPrefix(".reactor-tmp.") })
    #expect(try scratch.mode(temp) == 0o600)
  }

  @Test(arguments: [(0o777, true), (0o1777, false), (0o757, true), (0o775, false)])
  func `folders in which everybody can replace files are refused`(_ mode: Int, _ isRefused: Bool) async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.path("open"), withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path("open"))
    for root in [scratch.root(), OutputRoot(path: scratch.path("open"))] {
      let path = try OutputPath.good(root.path == scratch.folder ? "open/x.json" : "x.json")
      let error = await failure { () async throws(ReactorError) in try await root.lock(path) }
      #expect((error?.message.contains("every user of this machine") == true) == isRefused)
      #expect((error != nil) == isRefused)
    }
    let allowing = OutputRoot(path: scratch.folder, allowsSharedFolders: true)
    _ = try await allowing.lock(try .good("open/x.json"))
  }
}
