extension FileDescriptor {
  /// Whether the file has exactly these bytes at an offset.
  ///
  /// An equal hash is not enough: a server could choose the bytes so that the hash is equal.
  func holds(_ bytes: [UInt8], at offset: Int64) -> Bool {
    var piece = [UInt8](repeating: 0, count: min(256 << 10, bytes.count))
    var done = 0
    while done < bytes.count {
      let count = min(piece.count, bytes.count - done)
      piece.removeLast(piece.count - count)
      guard (try? read(into: &piece, at: offset + Int64(done))) == count,
        piece.elementsEqual(bytes[done..<done + count])
      else { return false }
      done += count
    }
    return true
  }

  /// Whether two files have the same bytes.
  func equals(_ other: FileDescriptor) throws(SystemError) -> Bool {
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    while true {
      let count = try read(into: &piece, at: offset)
      guard count > 0 else { return try other.status().size == offset }
      guard other.holds(Array(piece[..<count]), at: offset) else { return false }
      offset += Int64(count)
    }
  }
}
