/// `'a', 'b' and 'c'`; long lists are cut.
func listed(_ words: [String], joining last: String = "and", atMost limit: Int = 12) -> String {
  let quoted = words.prefix(limit).map { "'\($0)'" }
  if words.count > limit { return quoted.joined(separator: ", ") + " \(last) \(words.count - limit) more" }
  guard let final = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " \(last) \(final)"
}
