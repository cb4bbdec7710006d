internal import RegularExpressions

/// An interoperable regular expression (RFC 9485), matched in time linear in the text.
///
/// `^` and `$` outside brackets mean the start and the end of the text, as in RFC 9485's mappings to other dialects.
package struct IRegexp: Sendable {
  /// The maximum number of instructions of a compiled pattern, in which counted repetitions such as `{3}` are expanded.
  static let maximumSize = 10_000

  /// The maximum nesting of groups.
  static let maximumDepth = 50

  private let expression: RegularExpression

  /// Parses and compiles a pattern.
  ///
  /// - Parameter capturing: whether ``firstMatch(in:budget:)`` also returns the range of the first group.
  package init(parsing pattern: String, capturing: Bool = false) throws(IRegexpError) {
    var parser = IRegexpParser(pattern)
    parser.capturesNext = capturing
    let parsed = try parser.parse()
    let hasGroup = capturing && !parser.capturesNext
    let compiled = RegularExpression(
      parsed, sets: parser.sets, groupCount: hasGroup ? 1 : 0, maximumSize: Self.maximumSize)
    guard let compiled else {
      throw IRegexpError(
        "the repetitions expand to more than \(Self.maximumSize) instructions; use '*', '+' or smaller counts",
        isLimit: true)
    }
    expression = compiled
  }

  /// The number of instructions of the compiled pattern.
  var size: Int { expression.size }

  /// The ranges of a match and of its first group, in UTF-8 bytes of the text.
  package struct Match: Sendable, Hashable {
    /// The range of the whole match.
    package var whole: Range<Int>
    /// The range of the first group; nil when the group did not take part in the match, or when the pattern was not
    /// compiled with `capturing`.
    package var group: Range<Int>?
  }

  /// The result of a search.
  package enum Search: Sendable, Hashable {
    case found(Match)
    case nothing
    /// The budget was used up before the search ended.
    case budgetExceeded
  }

  /// Whether the whole text matches, or with `anywhere` a part of it; nil when the budget is used up.
  ///
  /// Each instruction that is tried on a scalar reduces `budget` by about one.
  package func matches(_ text: String, anywhere: Bool, budget: inout Int) -> Bool? {
    do throws(BudgetExceeded) {
      return try search(text.unicodeScalars.map(\.value), isWhole: !anywhere, budget: &budget) != nil
    } catch {
      return nil
    }
  }

  /// Finds the leftmost match.
  ///
  /// Of several matches with the same start, earlier alternatives and longer repetitions have priority. Each
  /// instruction that is tried on a scalar reduces `budget` by about one.
  package func firstMatch(in text: String, budget: inout Int) -> Search {
    let scalars = text.unicodeScalars
    do throws(BudgetExceeded) {
      guard let positions = try search(scalars.map(\.value), isWhole: false, budget: &budget) else { return .nothing }
      func offset(_ count: Int) -> Int { scalars.prefix(count).reduce(0) { $0 + UTF8.width($1) } }
      let hasGroup = positions.count > 2 && positions[2] >= 0 && positions[3] >= positions[2]
      return .found(
        Match(
          whole: offset(positions[0])..<offset(positions[1]),
          group: hasGroup ? offset(positions[2])..<offset(positions[3]) : nil))
    } catch {
      return .budgetExceeded
    }
  }

  /// The ranges of all matches, as indices of `scalars`, from left to right; nil when the budget is used up.
  ///
  /// Matches do not overlap. After an empty match, the search continues one scalar later.
  package func allMatches(in scalars: [UInt32], budget: inout Int) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var start = 0
    do throws(BudgetExceeded) {
      while start <= scalars.count,
        let match = try search(scalars, from: start, isWhole: false, budget: &budget)
      {
        ranges.append(match[0]..<match[1])
        start = match[1] > match[0] ? match[1] : match[1] + 1
      }
      return ranges
    } catch {
      return nil
    }
  }

  private struct BudgetExceeded: Error {}

  private func search(
    _ text: [UInt32], from start: Int = 0, isWhole: Bool, budget: inout Int
  ) throws(BudgetExceeded) -> [Int]? {
    try expression.firstMatch(in: text, from: start, isWhole: isWhole) { count throws(BudgetExceeded) in
      budget -= count
      if budget < 0 { throw BudgetExceeded() }
    }
  }
}

/// The reason why a text is not an I-Regexp, or which limit it exceeds.
package struct IRegexpError: Error, Sendable, Hashable {
  /// A description of the error, in lower case, without a full stop.
  package var message: String
  /// Whether the pattern is well-formed but exceeds a limit of this implementation.
  package var isLimit = false

  init(_ message: String, isLimit: Bool = false) {
    self.message = message
    self.isLimit = isLimit
  }
}
