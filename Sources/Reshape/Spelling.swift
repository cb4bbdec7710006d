/// Finds what was probably meant by a misspelt name.
enum Spelling {
  /// The nearest candidate by exchanges, omissions, insertions and swaps; one is forgiven from three letters, two from
  /// six. Of equally near ones the first is taken.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    let written = Array(word.lowercased().unicodeScalars)
    guard (2...40).contains(written.count) else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates where !candidate.isEmpty && candidate.utf8.count <= 40 {
      let known = Array(candidate.lowercased().unicodeScalars)
      let allowed = min(written.count, known.count) < 6 ? 1 : 2
      guard abs(known.count - written.count) <= allowed else { continue }
      let distance = distance(written, known)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...right.count)]
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let same = left[row - 1] == right[column - 1]
        var value = min(rows[row - 1][column - 1] + (same ? 0 : 1), rows[row - 1][column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          value = min(value, rows[row - 2][column - 2] + 1)
        }
        current.append(value)
      }
      rows.append(current)
    }
    return rows[left.count][right.count]
  }
}
