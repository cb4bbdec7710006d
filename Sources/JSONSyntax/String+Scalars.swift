#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension String {
  /// Whether both hold the same Unicode scalars; Swift's `==` also takes canonically equivalent ones, JSON does not.
  package func hasSameScalars(as other: String) -> Bool {
    // Same scalars are always canonically equivalent, and Swift's comparison is quick to see a difference.
    guard self == other else { return false }
    let left = utf8
    let right = other.utf8
    guard left.count == right.count else { return false }
    let same = left.withContiguousStorageIfAvailable { leftBytes in
      right.withContiguousStorageIfAvailable { rightBytes in
        guard let leftBase = leftBytes.baseAddress, let rightBase = rightBytes.baseAddress else { return true }
        return memcmp(leftBase, rightBase, leftBytes.count) == 0
      }
    }
    return (same ?? nil) ?? left.elementsEqual(right)
  }

  /// Whether it sorts before another by Unicode scalar values, which is the order of UTF-8 bytes.
  package func precedesByScalars(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
