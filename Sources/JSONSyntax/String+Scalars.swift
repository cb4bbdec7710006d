extension String {
  /// Whether both texts have the same Unicode scalars, as JSON compares strings.
  ///
  /// Swift's `==` also treats canonically equivalent texts as equal.
  package func hasSameScalars(as other: String) -> Bool {
    // Texts with the same scalars are always canonically equivalent, and Swift's `==` finds a difference quickly.
    self == other && utf8.elementsEqual(other.utf8)
  }

  /// Whether the text sorts before another by Unicode scalar values, which is the order of UTF-8 bytes.
  package func precedesByScalars(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
