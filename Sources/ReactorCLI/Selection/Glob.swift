/// A pattern for names: `*` is any characters, `?` is one, `[a-z]` is one of some and `[!a-z]` one of the others.
///
/// In patterns for paths, `*` and `?` stop at `/`, and `**` does not.
package struct Glob: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case one(Unicode.Scalar)
    case any
    case set([ClosedRange<UInt32>], isNegated: Bool)
    case run
    case deepRun
  }

  /// As written.
  package let text: String
  private let parts: [Part]
  private let isPath: Bool

  /// Whether it is a name without any wildcard.
  package let isLiteral: Bool

  /// Reads a pattern; nil for one whose `[` is never closed.
  package init?(_ text: String, isPath: Bool = false) {
    self.text = text
    self.isPath = isPath
    var parts: [Part] = []
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      switch scalars[place] {
      case "*":
        let isDouble = isPath && place + 1 < scalars.count && scalars[place + 1] == "*"
        while place + 1 < scalars.count, scalars[place + 1] == "*" { place += 1 }
        parts.append(isDouble || !isPath ? .deepRun : .run)
      case "?": parts.append(.any)
      case "[":
        guard let (part, end) = Self.set(scalars, from: place + 1) else { return nil }
        parts.append(part)
        place = end
      case let scalar: parts.append(.one(scalar))
      }
      place += 1
    }
    self.parts = parts
    isLiteral = parts.allSatisfy { if case .one = $0 { true } else { false } }
  }

  /// Whether the whole of a name fits. Takes at most the product of both lengths.
  package func matches(_ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    // The places in the pattern at which the name so far may stand.
    var places = [Bool](repeating: false, count: parts.count + 1)
    places[0] = true
    skipRuns(&places)
    for scalar in scalars {
      var next = [Bool](repeating: false, count: parts.count + 1)
      for (place, part) in parts.enumerated() where places[place] {
        switch part {
        case .one(let wanted): if scalar == wanted { next[place + 1] = true }
        case .any: if !isPath || scalar != "/" { next[place + 1] = true }
        case .set(let ranges, let isNegated):
          if ranges.contains(where: { $0.contains(scalar.value) }) != isNegated, !isPath || scalar != "/" {
            next[place + 1] = true
          }
        case .run: if scalar != "/" { next[place] = true }
        case .deepRun: next[place] = true
        }
      }
      skipRuns(&next)
      places = next
    }
    return places[parts.count]
  }

  /// A run may also be empty.
  private func skipRuns(_ places: inout [Bool]) {
    for (place, part) in parts.enumerated() where places[place] && (part == .run || part == .deepRun) {
      places[place + 1] = true
    }
  }

  private static func set(_ scalars: [Unicode.Scalar], from start: Int) -> (Part, end: Int)? {
    var place = start
    var isNegated = false
    if place < scalars.count, scalars[place] == "!" || scalars[place] == "^" {
      isNegated = true
      place += 1
    }
    var ranges: [ClosedRange<UInt32>] = []
    while place < scalars.count {
      if scalars[place] == "]", !ranges.isEmpty { return (.set(ranges, isNegated: isNegated), place) }
      let low = scalars[place].value
      if place + 2 < scalars.count, scalars[place + 1] == "-", scalars[place + 2] != "]" {
        let high = scalars[place + 2].value
        ranges.append(min(low, high)...max(low, high))
        place += 3
      } else {
        ranges.append(low...low)
        place += 1
      }
    }
    return nil
  }
}
