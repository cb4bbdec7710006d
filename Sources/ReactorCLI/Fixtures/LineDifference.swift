/// The difference of two texts as the hunks of a unified diff.
struct LineDifference {
  /// Some changed lines with the lines around them.
  struct Hunk {
    /// The number of lines before the hunk in the old and in the new text.
    var offsets: (old: Int, new: Int)
    var lines: [(sign: UInt8, text: ArraySlice<UInt8>)]

    /// The hunk as `git apply` reads it.
    var bytes: [UInt8] {
      let removed = lines.count { $0.sign != UInt8(ascii: "+") }
      let added = lines.count { $0.sign != UInt8(ascii: "-") }
      var text = Array("@@ -\(Self.range(offsets.old, removed)) +\(Self.range(offsets.new, added)) @@\n".utf8)
      for (sign, line) in lines {
        text.append(sign)
        text += line
        if line.last != 0x0A { text += "\n\\ No newline at end of file\n".utf8 }
      }
      return text
    }

    private static func range(_ offset: Int, _ count: Int) -> String { "\(count == 0 ? offset : offset + 1),\(count)" }
  }

  /// The number of equal lines around a change.
  private static let context = 3
  /// The greatest number of compared pairs of lines; beyond it, all lines between the first and the last change differ.
  private static let maximumPairs = 4_000_000

  private(set) var hunks: [Hunk] = []

  init(from old: [UInt8], to new: [UInt8]) {
    let edits = Self.edits(from: Self.lines(old), to: Self.lines(new))
    var spans: [Range<Int>] = []
    for index in edits.indices where edits[index].sign != UInt8(ascii: " ") {
      let span = max(index - Self.context, 0)..<min(index + Self.context + 1, edits.count)
      if let last = spans.last, last.upperBound >= span.lowerBound {
        spans[spans.count - 1] = last.lowerBound..<span.upperBound
      } else {
        spans.append(span)
      }
    }
    var (before, after, index) = (0, 0, 0)
    for span in spans {
      // Lines between two hunks are equal.
      (before, after) = (before + span.lowerBound - index, after + span.lowerBound - index)
      hunks.append(Hunk(offsets: (before, after), lines: Array(edits[span])))
      before += edits[span].count { $0.sign != UInt8(ascii: "+") }
      after += edits[span].count { $0.sign != UInt8(ascii: "-") }
      index = span.upperBound
    }
  }

  /// All lines in order, each with `-`, `+` or a space for a removed, an added or an unchanged line.
  private static func edits(
    from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]
  ) -> [(sign: UInt8, text: ArraySlice<UInt8>)] {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (removed, added) = (old[start..<old.count - end], new[start..<new.count - end])
    var edits: [(sign: UInt8, text: ArraySlice<UInt8>)] = old[..<start].map { (UInt8(ascii: " "), $0) }
    if removed.count * added.count > maximumPairs {
      edits += removed.map { (UInt8(ascii: "-"), $0) } + added.map { (UInt8(ascii: "+"), $0) }
    } else {
      let difference = Array(added).difference(from: Array(removed))
      var removals: Set<Int> = []
      var insertions: Set<Int> = []
      for change in difference {
        switch change {
        case .remove(let offset, _, _): removals.insert(offset)
        case .insert(let offset, _, _): insertions.insert(offset)
        }
      }
      var (before, after) = (0, 0)
      while before < removed.count || after < added.count {
        if removals.contains(before) {
          edits.append((UInt8(ascii: "-"), removed[removed.startIndex + before]))
          before += 1
        } else if insertions.contains(after) {
          edits.append((UInt8(ascii: "+"), added[added.startIndex + after]))
          after += 1
        } else {
          edits.append((UInt8(ascii: " "), removed[removed.startIndex + before]))
          (before, after) = (before + 1, after + 1)
        }
      }
    }
    return edits + old[(old.count - end)...].map { (UInt8(ascii: " "), $0) }
  }

  /// The lines with their line breaks.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }
}
