internal import RunViews
internal import SourceDiagnostics

/// Who answers the questions of a dialogue: a person at a terminal.
protocol Respondent: Sendable {
  /// The columns of a line.
  var width: Int { get }

  /// The style of what is shown.
  var style: TextStyle { get }

  /// Shows text.
  func show(_ text: String)

  /// Reads a line after showing a prompt; nil at the end of the input.
  ///
  /// - Parameter isSecret: whether what is typed is not shown
  func line(_ prompt: String, isSecret: Bool) -> String?

  /// Reads a line that belongs to the one before; nil at the end of the input.
  func furtherLine() -> String?
}

extension Respondent {
  /// Asks until there is a reply.
  ///
  /// - Throws: the end of the dialogue, when the person ends the input
  func ask(_ question: Question) throws(CommandError) -> String {
    for line in question.list {
      for part in TerminalLines.lines(line, width: width - 1, indent: question.listIndent) { show(part + "\n") }
    }
    while true {
      guard let line = line(style.paint(question.prompt, .bold), isSecret: question.form == .secret) else {
        show("\n")
        throw CommandError("the questions were not answered, so that nothing was written", .interrupted)
      }
      do throws(Question.ReplyError) {
        return try question.answer(line)
      } catch {
        complain(error.message)
      }
    }
  }

  /// Whether a question is answered with yes.
  func agrees(_ text: String, suggestion: Bool) throws(CommandError) -> Bool {
    try ask(.yesOrNo(text, suggestion)) == "yes"
  }

  /// Shows a sentence, wrapped at words, with text of servers made harmless.
  func say(_ text: String, indent: Int = 0) {
    let text = PrintableText.of(text, limit: 2000)
    for line in TerminalLines.lines(text, width: width - 1, indent: indent) { show(line + "\n") }
  }

  /// Shows why a reply is not taken.
  func complain(_ text: String, help: String? = nil) {
    let text = PrintableText.of(text, limit: 2000) + (help.map { "; \(PrintableText.of($0))" } ?? "")
    for line in TerminalLines.lines(text, width: width - 1, indent: 2) { show(style.paint(line, .odd) + "\n") }
  }
}
