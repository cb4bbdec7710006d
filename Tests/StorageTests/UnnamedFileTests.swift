import Foundation
import ReactorCore
import TestSupport
import Testing

@testable import Storage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A result that replaces nothing has no name in its folder until it is whole.
@Suite
struct UnnamedFileTests {
  /// Whether files without a name can be made here.
  private static func areMade(in scratch: Scratch) throws -> Bool {
    let folder = try FileDescriptor.open(scratch.folder, in: nil, flags: O_RDONLY | O_DIRECTORY)
    return try FileDescriptor.openUnnamed(in: folder, mode: 0o600) != nil
  }

  @Test func `a new result shows nothing of itself before it is whole`() async throws {
    let scratch = try Scratch()
    guard try Self.areMade(in: scratch) else {
      print("no files without a name on this file system: not tested here")
      return
    }
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    let content = [UInt8].noise(3_500_000)
    try await staged.write(Array(content[..<2_000_000]))
    #expect(try scratch.names() == [".reactor.lock"])
    try await staged.write(Array(content[2_000_000...]))
    #expect(try scratch.names() == [".reactor.lock"])
    #expect(try await staged.publish(.at(1)).change == .created)
    #expect(try scratch.names() == [".reactor.lock", ".reactor.stamps", "x.json"])
    #expect(FileManager.default.contents(atPath: scratch.path("x.json")) == Data(content))
  }

  @Test(arguments: [Durability.fast, .durable], [10, 2_500_000])
  func `a file that came meanwhile is replaced in one step`(_ durability: Durability, _ size: Int) async throws {
    let scratch = try Scratch()
    let staged = try await scratch.root(durability).lock(try .good("x.json")).stage()
    let content = [UInt8].noise(size)
    try await staged.write(content)
    try scratch.write("came meanwhile", to: "x.json")
    let before = try #require(FileManager.default.contents(atPath: scratch.path("x.json")))
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.path("x.json")))
    #expect(try await staged.publish(.at(1)).change == .replaced)
    #expect(FileManager.default.contents(atPath: scratch.path("x.json")) == Data(content))
    #expect(try reader.readToEnd() == before)
    #expect(try scratch.names() == [".reactor.lock", ".reactor.stamps", "x.json"])
  }

  @Test(arguments: [true, false])
  func `what came meanwhile and is no file is left alone`(isLink: Bool) async throws {
    let scratch = try Scratch()
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    try await staged.write([1])
    if isLink {
      try scratch.write("elsewhere", to: "other.json")
      #expect(symlink("other.json", scratch.path("x.json")) == 0)
    } else {
      try FileManager.default.createDirectory(atPath: scratch.path("x.json"), withIntermediateDirectories: false)
    }
    let before = try scratch.names()
    let error = await failure { () async throws(ReactorError) in try await staged.publish(.at(1)) }
    #expect(error?.message.contains("x.json") == true)
    #expect(error?.message.contains(isLink ? "link" : "folder") == true, "\(error?.message ?? "published")")
    #expect(try scratch.names() == before)
    if isLink { #expect(scratch.text("other.json") == "elsewhere") }
  }

  @Test func `two results under one lock: the second one replaces the first`() async throws {
    let scratch = try Scratch()
    let lock = try await scratch.root().lock(try .good("x.json"))
    #expect(try await lock.publish([1], .at(1)).change == .created)
    #expect(try await lock.publish([1], .at(2)).change == .unchanged)
    #expect(try await lock.publish([2], .at(3)).change == .replaced)
    #expect(FileManager.default.contents(atPath: scratch.path("x.json")) == Data([2]))
  }
}
