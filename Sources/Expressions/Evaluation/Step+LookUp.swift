extension Step {
  /// Whether the step is the literal `null`.
  var isNull: Bool {
    if case .constant(.null) = self { true } else { false }
  }

  /// Whether this step is allowed to have no value if a default follows, as in `coalesce`.
  var isLookUp: Bool {
    switch self {
    case .path, .local, .member, .index, .coalesce: true
    case .call(let call): call.function.isLookUp
    default: false
    }
  }
}
