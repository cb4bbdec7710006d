internal import ByteCodings
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The two standard streams, with the settings for printing.
package struct Console: Sendable {
  let out: OutputSink
  let err: OutputSink
  var outStyle = TextStyle()
  var errStyle = TextStyle()
  package var isQuiet = false
  var isVerbose = false
  var isJSON = false
  /// Whether progress is shown on standard error during a run.
  var hasProgress = false

  /// Masks secrets on both streams; warns about secrets that are too short for masking.
  func hide(_ secrets: [String: String]) {
    let mask = SecretMask(secrets)
    out.hide(mask)
    err.hide(mask)
    for name in mask.unmasked {
      warn("secret '\(name)' has fewer than \(SecretMask.shortest) bytes and cannot be hidden in the output")
    }
  }

  /// Masks one more secret from now on, on both streams and in all reports.
  func learn(_ secret: String) {
    out.learn(secret)
    err.learn(secret)
  }

  /// Shows diagnostics on standard error.
  func show(_ bag: DiagnosticBag) {
    guard !bag.diagnostics.isEmpty else { return }
    err.write(DiagnosticRenderer(isColored: errStyle.isColored).render(bag.diagnostics))
  }

  /// Prints a note, which is neither a warning nor an error; only with `--verbose`.
  func note(_ message: String) { say("note", .faint, message, nil) }

  /// Prints a warning without a source location.
  package func warn(_ message: String, help: String? = nil) { say("warning", .odd, message, help) }

  /// Prints an error without a source location.
  package func fail(_ message: String, help: String? = nil) { say("error", .bad, message, help) }

  private func say(_ kind: String, _ look: TextStyle.Role, _ message: String, _ help: String?) {
    var text = "\(errStyle.paint(kind + ":", look)) \(PrintableText.of(err.masked(message)))\n"
    if let help { text += "     = help: \(PrintableText.of(err.masked(help)))\n" }
    err.write(text)
  }
}
