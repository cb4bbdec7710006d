extension String {
  /// Whether both have the same Unicode scalars; Swift's `==` also takes canonically equivalent ones, JSON does not.
  package func hasSameScalars(as other: String) -> Bool {
    // Same scalars are always canonically equivalent, and Swift's comparison is quick to see a difference.
    self == other && utf8.elementsEqual(other.utf8)
  }

  /// Whether it sorts before another by Unicode scalar values, which is the order of UTF-8 bytes.
  package func precedesByScalars(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
