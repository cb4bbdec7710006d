internal import FlowSpec
internal import SourceDiagnostics

/// Filters diagnostics about names without a value.
///
/// Each name is reported once, even if several flows need the name.
struct MissingValues {
  private static let codes: Set<DiagnosticCode> = [
    FlowCode.templateUnsetVariable.code, FlowCode.templateUnsetSecret.code, FlowCode.templateUnsetEnvironment.code,
  ]

  /// The messages that were reported already.
  private var messages: Set<String> = []

  /// Creates a filter.
  ///
  /// A variable whose given value was refused has no value either. That error is not reported a second time.
  init(_ scopes: some Sequence<ResolutionScope>) {
    for name in scopes.lazy.flatMap(\.refusedVariables) {
      messages.insert(ResolutionError(.unsetVariable(name), at: nil).diagnostic.message)
    }
  }

  /// Whether to report a diagnostic. False for a name without a value that was reported already.
  mutating func take(_ diagnostic: Diagnostic) -> Bool {
    !Self.codes.contains(diagnostic.code) || messages.insert(diagnostic.message).inserted
  }
}
