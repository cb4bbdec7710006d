internal import Storage

/// The content of a recorded body or of a result. Small content is in memory; large content stays in its file and is
/// read piece by piece.
package enum FixtureContent: Sendable, Hashable {
  /// The bytes are in memory.
  case held([UInt8])
  /// The bytes are in a file of this size.
  case stored(path: String, count: Int)

  /// The size in bytes above which a content stays in its file.
  package static let largestHeld = 1 << 20

  /// The content of a file; nil when the file does not exist.
  ///
  /// - Parameter largest: the size in bytes above which the content stays in the file
  package init?(file path: String, heldUpTo largest: Int = largestHeld) throws(FixtureError) {
    let size: Int
    do throws(WholeFile.AccessError) {
      guard let pieces = try FilePieces(path) else { return nil }
      size = pieces.size
    } catch {
      throw FixtureError("'\(path)' cannot be read: \(error.message)")
    }
    guard size <= largest else {
      self = .stored(path: path, count: size)
      return
    }
    guard let bytes = try FixtureFiles.read(path) else { return nil }
    self = .held(bytes)
  }

  /// The size in bytes.
  package var count: Int {
    switch self {
    case .held(let bytes): bytes.count
    case .stored(_, let count): count
    }
  }

  /// Whether there are no bytes.
  package var isEmpty: Bool { count == 0 }

  /// All bytes; if they are in a file, the file is read.
  package var bytes: [UInt8] {
    get throws(FixtureError) {
      switch self {
      case .held(let bytes): return bytes
      case .stored(let path, _):
        guard let bytes = try FixtureFiles.read(path) else { throw FixtureError("'\(path)' is missing") }
        return bytes
      }
    }
  }

  /// A reader that returns the bytes piece by piece, with every match of the replacer replaced.
  func pieces(_ replacer: ByteReplacer, of size: Int = 256 << 10) throws(FixtureError) -> FixturePieces {
    guard case .stored(let path, _) = self else { return FixturePieces(held: replacer.replace(try bytes)) }
    do throws(WholeFile.AccessError) {
      if let file = try FilePieces(path, inPiecesOf: size) { return FixturePieces(path: path, file: file, replacer) }
    } catch {
      throw FixtureError("'\(path)' cannot be read: \(error.message)")
    }
    throw FixtureError("'\(path)' is missing")
  }
}
