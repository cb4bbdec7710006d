internal import Fixtures
internal import Records

/// The question for the query parameter that leads to the next page, where a response says that there is one.
struct PageQuestion: Sendable, Hashable {
  /// The choice that names no parameter.
  static let none = "none"

  /// The sentence before the question.
  let reason: String
  let question: Question
  private let takesToken: Bool

  /// Creates the question; nil where nothing has to be asked.
  init?(_ proposal: FlowProposal) {
    guard let sample = proposal.sample, let pages = proposal.flow.pages, pages.isPartial else { return nil }
    let hint = sample.signs.hint
    takesToken = hint?.kind == .token
    var suggestion = Self.none
    if let hint {
      reason = "The response \(hint.words)."
      suggestion = takesToken ? Self.parameter(forTokenAt: hint.location) : "page"
    } else {
      reason = "There may be more records than these \(sample.count)."
    }
    // Nothing is suggested again that did not help.
    if proposal.ignored.contains(suggestion) { suggestion = Self.none }
    question = Question(
      text: takesToken ? "Parameter for it" : "Page or offset parameter", suggestion: suggestion, form: .parameter)
  }

  /// The parameter that a reply names; nil for none.
  func parameter(_ answer: String) -> PageParameter? {
    answer == Self.none ? nil : PageParameter(named: answer, takesToken: takesToken)
  }

  /// The usual parameter for a token: `$.next_cursor` is sent as `cursor`, `$.nextPageToken` as `pageToken`.
  private static func parameter(forTokenAt location: String) -> String {
    var name = String(location.split { ".[]'$".contains($0) }.last ?? "")
    for prefix in ["next_", "next-", "next"] where name.lowercased().hasPrefix(prefix) {
      name.removeFirst(prefix.count)
      break
    }
    guard let first = name.first else { return "cursor" }
    return first.lowercased() + name.dropFirst()
  }
}
