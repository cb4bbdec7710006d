/// Finds the known word that is nearest to a misspelt word.
public enum NearMiss {
  /// The maximum length of compared words, in Unicode scalars. The comparison takes quadratic time.
  private static let longestWord = 64

  /// Returns the candidate that is nearest to a word; nil if no candidate is near enough.
  ///
  /// - Case, hyphens, underscores and spaces are ignored: `baseUrl` finds `base_url`.
  /// - An edit is a replaced, missing or extra character, or a swap of two neighbouring characters. Words of at
  ///   least three letters may differ by one edit, of at least six by two, of at least nine by three.
  /// - A word of at least four letters also finds the only candidate that starts with the word: `desc` finds
  ///   `description`.
  ///
  /// Of several equally near candidates, the first is returned.
  ///
  /// - Parameters:
  ///   - word: the written word.
  ///   - candidates: the known words.
  /// - Returns: a candidate as given, never equal to `word`.
  public static func suggestion(for word: String, in candidates: some Sequence<String>) -> String? {
    let written = folded(word)
    guard !written.isEmpty, written.count <= longestWord else { return nil }
    var best: (candidate: String, distance: Int)?
    var begun: [String] = []
    for candidate in candidates where candidate != word {
      let known = folded(candidate)
      guard !known.isEmpty, known.count <= longestWord else { continue }
      if known == written { return candidate }
      if written.count >= 4, known.starts(with: written) { begun.append(candidate) }
      let allowed = min(tolerance(written.count), tolerance(known.count))
      guard abs(known.count - written.count) <= allowed else { continue }
      let found = distance(written, known, atMost: min(allowed, (best?.distance ?? .max) - 1))
      if let found { best = (candidate, found) }
    }
    if let best { return best.candidate }
    return begun.count == 1 ? begun.first : nil
  }

  /// Returns the first candidate of which a word is probably a misspelling; nil if there is none.
  ///
  /// A candidate matches in two cases:
  /// - The word is the same if case, hyphens, underscores and spaces are ignored.
  /// - The words differ by one replaced, missing or extra character, or by one swap of neighbouring characters. The
  ///   longer word then has at least four letters.
  ///
  /// Digits must be equal: `line1` and `line2` are different names.
  ///
  /// - Parameters:
  ///   - word: the written word.
  ///   - candidates: the known words.
  /// - Returns: a candidate as given, never equal to `word`.
  public static func slip(for word: String, in candidates: some Sequence<String>) -> String? {
    let written = folded(word)
    guard !written.isEmpty, written.count <= longestWord else { return nil }
    var near: String?
    for candidate in candidates where candidate != word && abs(plainLength(candidate) - written.count) <= 1 {
      let known = folded(candidate)
      if known == written { return candidate }
      guard near == nil, max(written.count, known.count) >= 4, abs(known.count - written.count) <= 1,
        written.filter(isDigit) == known.filter(isDigit)
      else { continue }
      if distance(written, known, atMost: 1) != nil { near = candidate }
    }
    return near
  }

  /// The number of Unicode scalars of a folded word, counted without creating the folded word.
  ///
  /// Most names differ in this number already.
  private static func plainLength(_ word: String) -> Int {
    word.unicodeScalars.count { $0 != "-" && $0 != "_" && $0 != " " }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func tolerance(_ length: Int) -> Int {
    switch length {
    case ..<3: 0
    case ..<6: 1
    case ..<9: 2
    default: 3
    }
  }

  private static func folded(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The number of edits between two words (optimal string alignment), or nil if it is greater than `bound`.
  ///
  /// An edit is a replaced, missing or extra character, or a swap of two neighbouring characters.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost bound: Int) -> Int? {
    guard bound >= 0 else { return nil }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in 1...left.count {
      current[0] = row
      for column in 1...right.count {
        let exchange = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        var value = min(exchange, last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          value = min(value, beforeLast[column - 2] + 1)
        }
        current[column] = value
      }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    let result = last[right.count]
    return result <= bound ? result : nil
  }
}
