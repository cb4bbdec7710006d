#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads a regular file of the project piece by piece, so that the whole file is never in memory. Symbolic links are
/// not followed.
package struct FilePieces: Sendable {
  private let file: FileDescriptor
  private var position: Int64 = 0
  private let largest: Int

  /// The size of the file in bytes when it was opened.
  package let size: Int

  /// Opens a file; nil when it does not exist.
  ///
  /// - Parameter largest: the maximum size of a piece in bytes, at least 1
  package init?(_ path: String, inPiecesOf largest: Int = 256 << 10) throws(WholeFile.AccessError) {
    guard let file = try UnlinkedName(path)?.open(O_RDONLY) else { return nil }
    self.file = file
    self.largest = largest
    do throws(SystemError) { size = Int(try file.status().size) } catch { throw WholeFile.AccessError(error.code) }
  }

  /// Returns the next piece, which is never empty; nil at the end of the file.
  package mutating func next() throws(WholeFile.AccessError) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: largest)
    do throws(SystemError) {
      let count = try file.read(into: &piece, at: position)
      guard count > 0 else { return nil }
      position += Int64(count)
      piece.removeLast(piece.count - count)
    } catch {
      throw WholeFile.AccessError(error.code)
    }
    return piece
  }
}
