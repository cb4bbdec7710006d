internal import Expressions
public import FlowModel

/// The authorization of a flow's requests as a flow file gives it.
public typealias WrittenAuth = Auth<Located<Template>, SignedToken, RequestDeclaration>

extension Auth.Choice {
  /// The outcome of a choice.
  public struct Chosen: Sendable {
    /// The chosen kind; nil if the value is not the name of a case and there is no `else`.
    public let auth: Located<Auth>?
    /// Which case was chosen and why; without a kind, what is wrong. It contains no secret.
    public let words: String
    /// The names of the kinds that were not chosen.
    public let others: [String]
  }

  /// Chooses a kind by the value of the expression.
  public func chosen(in scope: ResolutionScope) throws(ResolutionError) -> Chosen {
    let name = try scope.choice(by)
    let names = cases.map(\.name.value)
    let text = by.value.text
    if let index = names.firstIndex(of: name) {
      return Chosen(
        auth: cases[index].value, words: "case '\(name)' of \(text)",
        others: names.filter { $0 != name } + (otherwise == nil ? [] : ["else"]))
    }
    let usesSecret = by.value.references.contains { $0.root == "secrets" }
    let shown = usesSecret ? "the value of '\(text)'" : "'\(name.prefix(60))', the value of '\(text)',"
    guard let otherwise else {
      return Chosen(auth: nil, words: "\(shown) is no case of 'choose'", others: names)
    }
    return Chosen(auth: otherwise, words: "no case of \(text), so else", others: names)
  }
}
