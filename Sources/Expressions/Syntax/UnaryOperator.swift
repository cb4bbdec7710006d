/// The operators before a value: `!` and `-`.
enum UnaryOperator: String, Sendable, Hashable, CaseIterable {
  case not = "!"
  case minus = "-"
}
