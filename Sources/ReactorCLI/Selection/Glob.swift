/// A pattern for names, with wildcards.
///
/// `*` matches any characters, `?` matches one character, `[a-z]` one character of a set, and `[!a-z]` one character
/// outside a set. In patterns for paths, `*` and `?` do not match `/`, and `**` does.
package struct Glob: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case one(Unicode.Scalar)
    case any
    case set([ClosedRange<UInt32>], isNegated: Bool)
    case run
    case deepRun
  }

  /// The pattern as the user wrote it.
  package let text: String
  private let parts: [Part]
  private let isPath: Bool

  /// Whether the pattern contains no wildcard.
  package let isLiteral: Bool

  /// Parses a pattern; nil when a `[` has no closing `]`.
  package init?(_ text: String, isPath: Bool = false) {
    self.text = text
    self.isPath = isPath
    var parts: [Part] = []
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      switch scalars[index] {
      case "*":
        let isDouble = isPath && index + 1 < scalars.count && scalars[index + 1] == "*"
        while index + 1 < scalars.count, scalars[index + 1] == "*" { index += 1 }
        parts.append(isDouble || !isPath ? .deepRun : .run)
      case "?": parts.append(.any)
      case "[":
        guard let (part, end) = Self.set(scalars, from: index + 1) else { return nil }
        parts.append(part)
        index = end
      case let scalar: parts.append(.one(scalar))
      }
      index += 1
    }
    self.parts = parts
    isLiteral = parts.allSatisfy { if case .one = $0 { true } else { false } }
  }

  /// Whether the pattern matches the whole name. The time is at most proportional to the product of both lengths.
  package func matches(_ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    // The positions in the pattern that the scalars of the name read so far can reach.
    var positions = [Bool](repeating: false, count: parts.count + 1)
    positions[0] = true
    skipRuns(&positions)
    for scalar in scalars {
      var next = [Bool](repeating: false, count: parts.count + 1)
      for (index, part) in parts.enumerated() where positions[index] {
        switch part {
        case .one(let wanted): if scalar == wanted { next[index + 1] = true }
        case .any: if !isPath || scalar != "/" { next[index + 1] = true }
        case .set(let ranges, let isNegated):
          if ranges.contains(where: { $0.contains(scalar.value) }) != isNegated, !isPath || scalar != "/" {
            next[index + 1] = true
          }
        case .run: if scalar != "/" { next[index] = true }
        case .deepRun: next[index] = true
        }
      }
      skipRuns(&next)
      positions = next
    }
    return positions[parts.count]
  }

  /// Also marks the positions after `*` and `**`, because both match empty text too.
  private func skipRuns(_ positions: inout [Bool]) {
    for (index, part) in parts.enumerated() where positions[index] && (part == .run || part == .deepRun) {
      positions[index + 1] = true
    }
  }

  private static func set(_ scalars: [Unicode.Scalar], from start: Int) -> (Part, end: Int)? {
    var index = start
    var isNegated = false
    if index < scalars.count, scalars[index] == "!" || scalars[index] == "^" {
      isNegated = true
      index += 1
    }
    var ranges: [ClosedRange<UInt32>] = []
    while index < scalars.count {
      if scalars[index] == "]", !ranges.isEmpty { return (.set(ranges, isNegated: isNegated), index) }
      let low = scalars[index].value
      if index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]" {
        let high = scalars[index + 2].value
        ranges.append(min(low, high)...max(low, high))
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    return nil
  }
}
