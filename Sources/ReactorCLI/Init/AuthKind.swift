internal import Fixtures

/// The kinds of authorization that `reactor init` asks about.
enum AuthKind: String, Sendable, CaseIterable {
  case bearer, header, query, basic, none

  private var meaning: String {
    switch self {
    case .bearer: "a token (Authorization: Bearer)"
    case .header: "an API key in a header"
    case .query: "an API key in the URL"
    case .basic: "user name and password"
    case .none: "no authorization"
    }
  }

  /// The kind that a response asks for.
  ///
  /// - Parameter challenge: its header `WWW-Authenticate`; nil without one
  init(status: Int, challenge: String?) {
    guard status == 401 || status == 403 else {
      self = .none
      return
    }
    let isBasic = challenge?.lowercased().hasPrefix("basic") ?? false
    self = isBasic ? .basic : .bearer
  }

  /// The question for the kind.
  static func question(_ suggestion: AuthKind) -> Question {
    Question(
      text: "Authorization", suggestion: suggestion.rawValue,
      choices: allCases.map { Question.Choice(word: $0.rawValue, meaning: $0.meaning) })
  }

  /// The questions for the names that this kind needs, in the order of `auth(_:)`.
  ///
  /// - Parameter server: the first part of the names of secrets, such as `GITHUB`
  func questions(_ server: String) -> [Question] {
    func secret(_ text: String, _ end: String) -> Question {
      Question(text: text, suggestion: "\(server)_\(end)", form: .secretName)
    }
    switch self {
    case .bearer: return [secret("Name of the secret", "TOKEN")]
    case .header:
      return [
        Question(text: "Name of the header", suggestion: "X-API-Key", form: .parameter),
        secret("Name of the secret", "API_KEY"),
      ]
    case .query:
      return [
        Question(text: "Name of the parameter", suggestion: "api_key", form: .parameter),
        secret("Name of the secret", "API_KEY"),
      ]
    case .basic: return [secret("Secret: user name", "USERNAME"), secret("Secret: password", "PASSWORD")]
    case .none: return []
    }
  }

  /// The authorization with the answers to the questions; nil for none.
  func auth(_ answers: [String]) -> DraftAuth? {
    guard answers.count == questions("").count else { return nil }
    switch self {
    case .bearer: return .bearer(answers[0])
    case .header: return .apiKey(.header, answers[0], .secret(answers[1]))
    case .query: return .apiKey(.query, answers[0], .secret(answers[1]))
    case .basic: return .basic(username: answers[0], password: answers[1])
    case .none: return nil
    }
  }
}
