internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics
internal import Storage

extension DeclaredFlow {
  /// What the next run needs to know to answer this flow with its result; nil where that depends on more than the
  /// flow's file and the values of its variables.
  var remembered: RememberedFlow? {
    guard let output, let persistence = declaration.persistence, isToldByItsFile else { return nil }
    return RememberedFlow(
      id: declaration.id, file: declaration.range.file.path, line: declaration.range.start.line,
      host: request.baseURL.origin, outputPath: output.text, rejectedPath: rejected?.text, timeout: timeout,
      toleratesSaveFailure: !persistence.failOnSaveError, resourceKey: resourceKey, schema: schema.fingerprint,
      expiresAfter: persistence.expiresAfter?.value)
  }

  /// Whether everything that decides over a persisted result stands in the flow's file.
  private var isToldByItsFile: Bool {
    let asked = declaration.request
    // Asked of each run anew, or of others.
    guard declaration.auth == nil, declaration.each == nil, cursor == nil, feed == nil, !isRetrying,
      declaration.proxy == nil, asked.body == nil, asked.idempotency == nil, request.recipe == nil,
      declaration.mapping.records == nil, declaration.mappingIdentity(scope) == nil
    else { return false }
    return asked.baseURL.value.isToldByVariables && asked.path.value.isToldByVariables
      && asked.query.allSatisfy(\.value.value.isToldByVariables)
      && asked.headers.allSatisfy(\.value.value.isToldByVariables)
      && asked.params.allSatisfy(\.value.value.isToldByVariables)
      && declaration.persistence?.path.value.isToldByVariables ?? true
      && declaration.rejected?.value.isToldByVariables ?? true
  }
}

extension Template {
  /// Whether it is text and variables only.
  fileprivate var isToldByVariables: Bool {
    segments.allSatisfy {
      switch $0 {
      case .text, .variable: true
      case .secret, .environment, .expression: false
      }
    }
  }
}
