internal import ByteCodings
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The two standard streams, and how is printed on them.
struct Console: Sendable {
  let out: OutputSink
  let err: OutputSink
  var outStyle = TextStyle()
  var errStyle = TextStyle()
  var isQuiet = false
  var isVerbose = false
  var isJSON = false
  /// Whether progress is shown on standard error while a run goes on.
  var hasProgress = false

  /// Masks secrets on both streams; warns about those that are too short for that.
  func hide(_ secrets: [String: String]) {
    let mask = SecretMask(secrets)
    out.hide(mask)
    err.hide(mask)
    for name in mask.unmasked {
      warn("secret '\(name)' has fewer than \(SecretMask.shortest) bytes and cannot be hidden in the output")
    }
  }

  /// Masks one more secret on both streams, and in all reports, from now on.
  func learn(_ secret: String) {
    out.learn(secret)
    err.learn(secret)
  }

  /// Shows diagnostics on standard error.
  func show(_ bag: DiagnosticBag) {
    guard !bag.diagnostics.isEmpty else { return }
    err.write(DiagnosticRenderer(isColored: errStyle.isColored).render(bag.diagnostics))
  }

  /// What is neither a warning nor an error: printed with --verbose.
  func note(_ message: String) { say("note", .faint, message, nil) }

  /// A problem without a source location.
  func warn(_ message: String, help: String? = nil) { say("warning", .odd, message, help) }

  /// An error without a source location.
  func fail(_ message: String, help: String? = nil) { say("error", .bad, message, help) }

  private func say(_ kind: String, _ look: TextStyle.Role, _ message: String, _ help: String?) {
    var text = "\(errStyle.paint(kind + ":", look)) \(PrintableText.of(err.masked(message)))\n"
    if let help { text += "     = help: \(PrintableText.of(err.masked(help)))\n" }
    err.write(text)
  }
}
