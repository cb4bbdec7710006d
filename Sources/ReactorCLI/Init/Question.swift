internal import ByteCodings
internal import Fixtures
internal import SourceDiagnostics

/// A question of a dialogue: its text, and which answers it takes.
struct Question: Sendable, Hashable {
  /// A reply of a list, with what it means.
  struct Choice: Sendable, Hashable {
    let word: String
    let meaning: String
  }

  /// What a free answer has to be.
  enum Form: Sendable, Hashable {
    /// Any text.
    case text
    /// The name of a secret, which is also that of an environment variable.
    case secretName
    /// The name of a header field or of a query parameter.
    case parameter
    /// The path of a flow file.
    case flowFile
    /// The value of a secret: taken as it is typed, and never shown.
    case secret
  }

  /// Why a reply is not taken: a sentence in lower case without a full stop.
  struct ReplyError: Error, Hashable {
    let message: String
  }

  /// The text, short enough for one line of a narrow terminal.
  let text: String
  /// What an empty line stands for; nil when there must be one.
  var suggestion: String?
  /// The only answers; empty for a free answer.
  var choices: [Choice] = []
  var form = Form.text

  /// A question that is answered with yes or no.
  static func yesOrNo(_ text: String, _ suggestion: Bool) -> Question {
    Question(
      text: text, suggestion: suggestion ? "yes" : "no",
      choices: [Choice(word: "yes", meaning: ""), Choice(word: "no", meaning: "")])
  }

  /// The text before the reply, with the suggestion.
  var prompt: String {
    if choices.contains(where: { !$0.meaning.isEmpty }) || choices.isEmpty {
      return suggestion.map { "\(text) [\(PrintableText.of($0))]: " } ?? "\(text): "
    }
    let words = choices.map { $0.word == suggestion ? $0.word.uppercased() : $0.word }
    return "\(text) [\(words.joined(separator: "/"))]: "
  }

  /// The columns before the meanings of the choices.
  var listIndent: Int { 7 + (choices.map(\.word.count).max() ?? 0) }

  /// The lines above the prompt: the choices with their numbers and meanings.
  var list: [String] {
    guard choices.contains(where: { !$0.meaning.isEmpty }) else { return [] }
    let length = listIndent - 7
    return choices.enumerated().map { index, choice in
      let gap = String(repeating: " ", count: length - choice.word.count)
      return "  \(index + 1)  \(choice.word)\(gap)  \(choice.meaning)"
    }
  }

  /// Returns the reply that a line gives.
  func answer(_ line: String) throws(ReplyError) -> String {
    if form == .secret {
      guard !line.isEmpty else { throw ReplyError(message: "a secret is not empty; Ctrl-C ends") }
      return line
    }
    let text = line.trimmed
    guard !text.isEmpty else {
      if let suggestion { return suggestion }
      throw ReplyError(message: "a reply is needed; Ctrl-C ends")
    }
    guard choices.isEmpty else { return try choice(text) }
    switch form {
    case .secretName:
      guard DraftText.isWord(text) else {
        throw ReplyError(
          message: "a name is a letter or '_', then letters, digits and '_' (the value is asked for next)")
      }
    case .parameter:
      guard text.utf8.allSatisfy({ ASCII.isTokenCharacter($0) || "[]".utf8.contains($0) }) else {
        throw ReplyError(message: "a name has letters, digits and - _ . only, without spaces and colons")
      }
    case .flowFile:
      guard text.hasSuffix(".yaml") || text.hasSuffix(".yml") else {
        throw ReplyError(message: "the name of a flow file ends with .yaml")
      }
    case .text, .secret: break
    }
    return text
  }

  /// The choice that a number, a word or its beginning names.
  private func choice(_ text: String) throws(ReplyError) -> String {
    let word = text.lowercased()
    if let number = Int(word), choices.indices.contains(number - 1), !list.isEmpty { return choices[number - 1].word }
    if choices.contains(where: { $0.word == word }) { return word }
    let found = choices.filter { $0.word.hasPrefix(word) }
    guard found.count == 1 else {
      throw ReplyError(message: "write one of: \(choices.map(\.word).joined(separator: ", "))")
    }
    return found[0].word
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
