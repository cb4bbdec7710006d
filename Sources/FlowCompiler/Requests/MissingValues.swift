internal import FlowSpec
internal import SourceDiagnostics

/// Names that have no value: each is one mistake, however many flows and places need it.
struct MissingValues {
  private static let codes: Set<DiagnosticCode> = [
    FlowCode.templateUnsetVariable.code, FlowCode.templateUnsetSecret.code, FlowCode.templateUnsetEnvironment.code,
  ]

  /// What was said of them.
  private var messages: Set<String> = []

  /// Variables of which the value that was given was refused have no value either, and that was reported.
  init(_ scopes: some Sequence<ResolutionScope>) {
    for name in scopes.lazy.flatMap(\.refusedVariables) {
      messages.insert(ResolutionError(.unsetVariable(name), at: nil).diagnostic.message)
    }
  }

  /// Whether a problem is to be reported: it is another one than a name of which that was done.
  mutating func take(_ diagnostic: Diagnostic) -> Bool {
    !Self.codes.contains(diagnostic.code) || messages.insert(diagnostic.message).inserted
  }
}
