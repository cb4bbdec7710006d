extension Step {
  /// Whether it is a written null.
  var isNull: Bool {
    if case .constant(.null) = self { true } else { false }
  }

  /// Whether nothing found is a response where a default follows.
  var isLookUp: Bool {
    switch self {
    case .path, .local, .member, .index, .coalesce: true
    case .call(let call): call.function.isLookUp
    default: false
    }
  }
}
