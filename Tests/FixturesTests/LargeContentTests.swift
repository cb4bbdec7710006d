import Fixtures
import Foundation
import ReactorCore
import Testing

/// A content that stays in its file is read in pieces; what is replaced in it must not depend on where these end.
@Suite struct LargeContentTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString)")
  private static let piece = 64

  private func content(_ bytes: [UInt8]) throws -> FixtureContent {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "body.txt").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return .stored(path: path, count: bytes.count)
  }

  private func all(_ pieces: FixturePieces) throws -> [UInt8] {
    var pieces = pieces
    var bytes: [UInt8] = []
    while let piece = try pieces.next() {
      #expect(!piece.isEmpty)
      bytes += piece
    }
    return bytes
  }

  static let echoes = [
    "a correct horse battery staple 4711 b", "at 127.0.0.1:8471, 127.0.0.1:84710 and x127.0.0.1:8471",
    "Y29ycmVjdCBob3Jz\\nZSBiYXR0ZXJ5IHN0\\r\\nYXBsZSA0NzEx", "{{base}} {{literal}} {{secret:T}} {{",
    "http:\\/\\/127.0.0.1:8471\\/a", "correct horse battery staple 471",
  ]

  @Test(arguments: echoes) func `replacing across the end of a piece is replacing in the whole`(_ echo: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = "correct horse battery staple 4711"
    let scrubber = Scrubber(
      bases: [try FixtureBase(parsing: "http://127.0.0.1:8471/v2")], secrets: ["T": secret])
    var isReplaced = false
    for before in 0...echo.utf8.count {
      let bytes = [UInt8](repeating: 0x2E, count: Self.piece - before) + Array(echo.utf8)
      for tail in [[], Array(" and more".utf8), [UInt8](repeating: 0x2E, count: Self.piece)] as [[UInt8]] {
        let whole = scrubber.scrub(bytes + tail)
        if whole != bytes + tail { isReplaced = true }
        #expect(
          try all(scrubber.scrubbed(content(bytes + tail), inPiecesOf: Self.piece)) == whole, "\(before), \(tail.count)"
        )
      }
    }
    #expect(isReplaced != echo.hasSuffix("staple 471"))
  }

  @Test func `what ends in the beginning of a match is not lost`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let scrubber = Scrubber(bases: [], secrets: ["T": "aaaaaaaaaaaab"])
    for count in [1, Self.piece - 1, Self.piece, Self.piece + 1, 3 * Self.piece] {
      let bytes = [UInt8](repeating: 0x61, count: count)
      #expect(try all(scrubber.scrubbed(content(bytes), inPiecesOf: Self.piece)) == bytes, "\(count)")
    }
  }
}
