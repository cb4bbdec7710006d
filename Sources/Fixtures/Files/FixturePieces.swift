internal import ReactorCore
internal import Storage
internal import Synchronization

/// Reads the bytes of some content piece by piece, while a scrubber replaces secrets or servers in them.
package struct FixturePieces: Sendable {
  private var held: [UInt8]?
  private var file: FilePieces?
  private let path: String
  private var replacer: ByteReplacer?
  /// Bytes that are joined with the next piece, because a match may begin in them. The first `searched` of them are
  /// already searched.
  private var rest: [UInt8] = []
  private var searched = 0

  init(held: [UInt8]) {
    self.held = held
    path = ""
  }

  init(path: String, file: FilePieces, _ replacer: ByteReplacer) {
    self.file = file
    self.path = path
    self.replacer = replacer
  }

  /// Returns the next piece, which is never empty; nil at the end.
  package mutating func next() throws(FixtureError) -> [UInt8]? {
    while let piece = try read() {
      guard let replacer, !replacer.isEmpty else { return piece }
      let result = search(rest + piece, replacer, isEnd: false)
      if !result.isEmpty { return result }
    }
    guard let replacer, searched < rest.count else { return nil }
    let result = search(rest, replacer, isEnd: true)
    rest = []
    searched = 0
    return result
  }

  private mutating func search(_ bytes: [UInt8], _ replacer: ByteReplacer, isEnd: Bool) -> [UInt8] {
    let (result, next) = replacer.replace(bytes, from: searched, isEnd: isEnd)
    // The byte before a match is needed to decide about the match.
    rest = Array(bytes[max(0, next - 1)...])
    searched = min(1, next)
    return result
  }

  private mutating func read() throws(FixtureError) -> [UInt8]? {
    guard file != nil else {
      defer { held = nil }
      return held.flatMap { $0.isEmpty ? nil : $0 }
    }
    do throws(WholeFile.AccessError) {
      return try file?.next()
    } catch {
      throw FixtureError("'\(path)' cannot be read: \(error.message)")
    }
  }
}

extension FixturePieces {
  /// Whether the file at a path has these bytes.
  func equal(fileAt other: String) throws(FixtureError) -> Bool {
    if file == nil { return try FixtureFiles.holds(other, held ?? []) }
    guard let content = try FixtureContent(file: other) else { return false }
    var (mine, others) = (self, try content.pieces(ByteReplacer([])))
    var (left, right): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    while true {
      if left.isEmpty { left = (try mine.next() ?? [])[...] }
      if right.isEmpty { right = (try others.next() ?? [])[...] }
      guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty }
      let count = min(left.count, right.count)
      guard left.prefix(count) == right.prefix(count) else { return false }
      left = left.dropFirst(count)
      right = right.dropFirst(count)
    }
  }

  /// A body with these bytes.
  var body: ResponseBody { ResponseBody(Source(self)) }

  private final class Source: ByteSource {
    private let pieces: Mutex<FixturePieces?>

    init(_ pieces: FixturePieces) { self.pieces = Mutex(pieces) }

    func next() async throws(ReactorError) -> [UInt8]? {
      do throws(FixtureError) {
        return try pieces.withLock { (pieces) throws(FixtureError) in try pieces?.next() }
      } catch {
        throw .fixture(error.message, help: error.help)
      }
    }

    func cancel() { pieces.withLock { $0 = nil } }
  }
}
