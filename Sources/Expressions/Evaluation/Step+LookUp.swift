extension Step {
  /// Whether the step is the literal `null`.
  var isNull: Bool {
    if case .constant(.null) = self { true } else { false }
  }

  /// Whether a missing value of this step is allowed where a default follows.
  var isLookUp: Bool {
    switch self {
    case .path, .local, .member, .index, .coalesce: true
    case .call(let call): call.function.isLookUp
    default: false
    }
  }
}
