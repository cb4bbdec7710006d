public import JSONSyntax

extension Template {
  /// Where the resolved text goes, which decides what values may bring along.
  public enum Destination: Sendable, Hashable {
    /// A URL, a header, a path or the like: values with line breaks or NUL are refused.
    case line
    /// A body, where line breaks are data: only values with NUL are refused.
    case body
  }

  /// The text with all names replaced by their values. What values bring along is never looked at again for templates.
  public func resolve(
    with scope: ResolutionScope, for destination: Destination = .line
  ) throws(ResolutionError) -> ResolvedText {
    if let constantText { return ResolvedText(text: constantText, isSecret: false) }
    var text = ""
    var isSecret = false
    for (index, segment) in segments.enumerated() {
      let range = index < ranges.count ? ranges[index] : nil
      let value: String
      switch segment {
      case .text(let plain):
        text += plain
        continue
      case .variable(let name):
        guard let variable = scope.variables[name] else { throw ResolutionError(.unsetVariable(name), at: range) }
        value = variable.text
      case .secret(let name):
        guard let secret = scope.secrets[name] else { throw ResolutionError(.unsetSecret(name), at: range) }
        value = secret.reveal()
        isSecret = true
      case .environment(let name):
        guard let variable = scope.environment[name] else {
          throw ResolutionError(.unsetEnvironment(name), at: range)
        }
        value = variable
      case .captured(let name):
        guard let captured = scope.captures[name] else { throw ResolutionError(.unsetCapture(name), at: range) }
        value = captured.reveal()
        isSecret = true
      }
      guard !value.utf8.contains(where: { destination.refuses($0) }) else {
        throw ResolutionError(.controlCharacter(segment), at: range)
      }
      text += value
    }
    return ResolvedText(text: text, isSecret: isSecret)
  }

  /// The value in a JSON body: a template that is nothing but one variable keeps the variable's type, else a string.
  public func resolveJSON(with scope: ResolutionScope) throws(ResolutionError) -> (value: JSONValue, isSecret: Bool) {
    if segments.count == 1, case .variable(let name) = segments[0] {
      guard let variable = scope.variables[name] else {
        throw ResolutionError(.unsetVariable(name), at: ranges.first)
      }
      return (variable.json, false)
    }
    let resolved = try resolve(with: scope, for: .body)
    return (.string(resolved.text), resolved.isSecret)
  }
}

extension Template.Destination {
  fileprivate func refuses(_ byte: UInt8) -> Bool {
    switch self {
    case .line: byte == 0x0A || byte == 0x0D || byte == 0
    case .body: byte == 0
    }
  }
}
