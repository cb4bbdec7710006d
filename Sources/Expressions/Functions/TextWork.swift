internal import JSONSyntax

/// The longer implementations of the text functions.
enum TextWork {
  static func changed(
    _ text: String, _ evaluation: inout Evaluation, _ change: (String) -> String
  ) throws(EvaluationError) -> ExpressionValue {
    try evaluation.spend(steps: 1 + text.utf8.count / 16)
    try evaluation.spend(bytes: text.utf8.count)
    let result = change(text)
    // A change of case can make the text at most three times longer.
    try evaluation.spend(bytes: max(0, result.utf8.count - text.utf8.count))
    return .string(result)
  }

  /// The text with each word's first letter in upper case and the others in lower case.
  static func title(_ text: String) -> String {
    var (result, isFirst) = ("", true)
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || "-([{<".unicodeScalars.contains(scalar) {
        isFirst = true
        result.unicodeScalars.append(scalar)
      } else {
        result += isFirst ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
        isFirst = false
      }
    }
    return result
  }

  /// The positions of a part in a text.
  ///
  /// It uses the algorithm of Knuth, Morris and Pratt, so every text takes linear time.
  static func positions(
    of part: [UInt8], in text: [UInt8], limit: Int, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> [Int] {
    guard !part.isEmpty else { return [0] }
    try evaluation.spend(steps: 1 + (text.count + part.count) / 64)
    var failure = [Int](repeating: 0, count: part.count)
    var matched = 0
    for position in 1..<max(part.count, 1) {
      while matched > 0, part[position] != part[matched] { matched = failure[matched - 1] }
      if part[position] == part[matched] { matched += 1 }
      failure[position] = matched
    }
    var found: [Int] = []
    matched = 0
    for (position, byte) in text.enumerated() {
      while matched > 0, byte != part[matched] { matched = failure[matched - 1] }
      if byte == part[matched] { matched += 1 }
      if matched == part.count {
        try evaluation.spend(steps: 1)
        found.append(position + 1 - part.count)
        if found.count == limit { return found }
        matched = 0
      }
    }
    return found
  }

  static func firstPlace(
    of part: [UInt8], in text: [UInt8], _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> Int? { try positions(of: part, in: text, limit: 1, &evaluation).first }

  static func split(_ arguments: Arguments, _ evaluation: inout Evaluation) throws(EvaluationError) -> ExpressionValue {
    let text = try arguments.string(0)
    let separator = Array(try arguments.string(1).utf8)
    try evaluation.spend(bytes: text.utf8.count)
    guard !separator.isEmpty else {
      try evaluation.spend(elements: text.unicodeScalars.count)
      return .list(text.unicodeScalars.map { .string(String($0)) })
    }
    let bytes = Array(text.utf8)
    let positions = try positions(of: separator, in: bytes, limit: .max, &evaluation)
    try evaluation.spend(elements: positions.count + 1)
    var parts: [ExpressionValue] = []
    var start = 0
    for position in positions + [bytes.count] {
      parts.append(.string(String(decoding: bytes[start..<position], as: UTF8.self)))
      start = position + separator.count
    }
    return .list(parts)
  }

  static func join(_ arguments: Arguments, _ evaluation: inout Evaluation) throws(EvaluationError) -> ExpressionValue {
    guard arguments[0].isList else { throw arguments.wrongType(0, "a list") }
    let separator = arguments.count > 1 ? try arguments.string(1) : ""
    var result = ""
    for position in 0..<arguments[0].count {
      guard let element = arguments[0].element(position) else { continue }
      let text = try element.text()
      try evaluation.spend(steps: 1 + (text.utf8.count + separator.utf8.count) / 64)
      try evaluation.spend(bytes: text.utf8.count + separator.utf8.count)
      if position > 0 { result += separator }
      result += text
    }
    return .string(result)
  }

  static func replace(
    _ arguments: Arguments, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> ExpressionValue {
    let (text, old, new) = (try arguments.string(0), Array(try arguments.string(1).utf8), try arguments.string(2))
    guard !old.isEmpty else { return .string(text) }
    let bytes = Array(text.utf8)
    let positions = try positions(of: old, in: bytes, limit: .max, &evaluation)
    guard !positions.isEmpty else { return .string(text) }
    let (grown, overflow) = positions.count.multipliedReportingOverflow(by: new.utf8.count)
    try evaluation.spend(bytes: overflow ? .max : grown)
    try evaluation.spend(bytes: bytes.count)
    var result: [UInt8] = []
    var start = 0
    for position in positions {
      result += bytes[start..<position]
      result += new.utf8
      start = position + old.count
    }
    result += bytes[start...]
    return .string(String(decoding: result, as: UTF8.self))
  }

  static func replaceMatches(
    _ arguments: Arguments, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> ExpressionValue {
    let (text, new) = (try arguments.string(0), try arguments.string(2))
    let expression = try arguments.expression(1)
    let scalars = text.unicodeScalars.map(\.value)
    let ranges: [Range<Int>] = try evaluation.match { budget in expression.allMatches(in: scalars, budget: &budget) }
    guard !ranges.isEmpty else { return .string(text) }
    let (grown, overflow) = ranges.count.multipliedReportingOverflow(by: new.utf8.count)
    try evaluation.spend(bytes: overflow ? .max : grown)
    try evaluation.spend(bytes: 4 * scalars.count)
    let old = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var start = 0
    for range in ranges {
      result.append(contentsOf: old[start..<range.lowerBound])
      result.append(contentsOf: new.unicodeScalars)
      start = range.upperBound
    }
    result.append(contentsOf: old[start...])
    return .string(String(result))
  }

  /// The ends of a text at which characters are removed.
  enum Side {
    case around, before, behind
  }

  /// Removes white space, or the characters of the second argument, from the ends of a text.
  static func trim(
    _ arguments: Arguments, _ side: Side, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> ExpressionValue {
    let text = try arguments.string(0)
    try evaluation.spend(reading: text)
    let isRemoved: (Unicode.Scalar) -> Bool
    if arguments.count > 1 {
      let characters = try arguments.string(1)
      try evaluation.spend(steps: characters.utf8.count)
      let set = Set(characters.unicodeScalars)
      isRemoved = { set.contains($0) }
    } else {
      isRemoved = { $0.properties.isWhitespace }
    }
    var scalars = text.unicodeScalars[...]
    if side != .behind { while let first = scalars.first, isRemoved(first) { scalars.removeFirst() } }
    if side != .before { while let last = scalars.last, isRemoved(last) { scalars.removeLast() } }
    try evaluation.spend(bytes: scalars.utf8Count)
    return .string(String(scalars))
  }

  /// The first match of the pattern; nil when there is none.
  static func search(
    _ arguments: Arguments, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> IRegexp.Match? {
    let text = try arguments.string(0)
    let expression = try arguments.expression(1)
    let search: IRegexp.Search = try evaluation.match { budget in
      let search = expression.firstMatch(in: text, budget: &budget)
      return search == .budgetExceeded ? nil : search
    }
    guard case .found(let match) = search else { return nil }
    return match
  }

  static func extract(
    _ arguments: Arguments, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> ExpressionValue {
    guard let match = try search(arguments, &evaluation) else {
      throw EvaluationError(.missing, "the pattern does not match")
    }
    let text = try arguments.string(0)
    let range = match.group ?? match.whole
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound)
    try evaluation.spend(bytes: range.count)
    return .string(String(text[start..<end]))
  }

  static func slice(_ arguments: Arguments, _ evaluation: inout Evaluation) throws(EvaluationError) -> ExpressionValue {
    func range(_ count: Int) throws(EvaluationError) -> Range<Int> {
      func position(_ value: Int64) -> Int {
        Int(clamping: min(max(value < 0 ? value + Int64(count) : value, 0), Int64(count)))
      }
      let start = position(try arguments.int(1))
      let end = arguments.count > 2 ? position(try arguments.int(2)) : count
      return start..<max(start, end)
    }
    if case .string(let text) = arguments[0] {
      try evaluation.spend(reading: text)
      let scalars = Array(text.unicodeScalars)
      let chosen = scalars[try range(scalars.count)]
      try evaluation.spend(bytes: 4 * chosen.count)
      var result = ""
      result.unicodeScalars.append(contentsOf: chosen)
      return .string(result)
    }
    guard arguments[0].isList else { throw arguments.wrongType(0, "a string or a list") }
    let chosen = try range(arguments[0].count)
    try evaluation.spend(elements: chosen.count)
    return .list(chosen.compactMap { arguments[0].element($0) })
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var utf8Count: Int { reduce(0) { $0 + UTF8.width($1) } }
}
