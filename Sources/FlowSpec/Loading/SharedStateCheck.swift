internal import FlowModel
package import SourceDiagnostics

/// Finds the flows that cannot run in several processes with shared state.
package struct SharedStateCheck {
  private let hasKey: Bool
  private let unit: [String: Int]
  private let usesToken: (FlowDeclaration) -> Bool
  private let scope: (FlowDeclaration) -> ResolutionScope

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - hasKey: whether the processes have a key to seal tokens
  ///   - unit: for each flow the number of its unit: the flows that one process runs together
  ///   - usesToken: whether a flow may use a single-use refresh token
  ///   - scope: the values of the names in the paths of a flow
  package init(
    hasKey: Bool, unit: [String: Int], usesToken: @escaping (FlowDeclaration) -> Bool = { $0.mayUseSingleUseToken },
    scope: @escaping (FlowDeclaration) -> ResolutionScope
  ) {
    self.hasKey = hasKey
    self.unit = unit
    self.usesToken = usesToken
    self.scope = scope
  }

  /// Reports files that declare another shared state than the first one.
  static func checkDeclarations(of files: [FileDeclaration], _ diagnostics: inout DiagnosticBag) {
    guard let first = files.lazy.compactMap(\.state).first else { return }
    for other in files.compactMap(\.state) where other.value.sourceText != first.value.sourceText {
      diagnostics.report(
        Diagnostic(
          FlowCode.stateConflict.code, "this file declares another shared state than '\(first.range.file.path)'",
          at: other.range, notes: [Diagnostic.Note("the other one is here", at: first.range)],
          help: "declare the same 'state' in all files of a run, or run the files on their own"))
    }
  }

  /// The problems of flows that run together.
  package func problems(in flows: [FlowDeclaration]) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    if !hasKey {
      for flow in flows where usesToken(flow) {
        diagnostics.report(
          Diagnostic(
            FlowCode.sharedToken.code,
            "'\(flow.id)' has a refresh token that can be used only once, and there is no key to seal it in the shared "
              + "state", at: flow.singleUseToken ?? flow.auth?.range ?? flow.range,
            help: "make a key with 'openssl rand -base64 32', and give it to all processes in REACTOR_STATE_KEY; or "
              + "declare 'single_use: false' if the server accepts a refresh token again"))
      }
    }
    let readers = flows.filter { !$0.inputFiles.isEmpty }
    guard !readers.isEmpty else { return diagnostics }
    let writers = writers(in: flows)
    for reader in readers {
      for path in reader.inputFiles {
        guard let text = text(of: path, in: reader), let writer = writers[text],
          unit[writer.flow.id] != unit[reader.id]
        else { continue }
        diagnostics.report(
          Diagnostic(
            .error, FlowCode.sharedInput.code,
            "'\(reader.id)' reads '\(text)', which '\(writer.flow.id)' writes, perhaps on another machine",
            at: path.range,
            notes: [Diagnostic.Note("'\(writer.flow.id)' writes it here", at: writer.range)],
            help: "name '\(writer.flow.id)' as parent in 'each', so that one process runs both; or persist to a table, "
              + "and read its rows"))
      }
    }
    return diagnostics
  }

  /// The flows that write files, by the paths of the files.
  private func writers(in flows: [FlowDeclaration]) -> [String: (flow: FlowDeclaration, range: SourceRange)] {
    var writers: [String: (flow: FlowDeclaration, range: SourceRange)] = [:]
    for flow in flows {
      for path in flow.outputFiles {
        if let text = text(of: path, in: flow) { writers[text] = (flow, path.range) }
      }
    }
    return writers
  }

  /// The path with its values; nil when they are not known before the run.
  private func text(of path: Located<Template>, in flow: FlowDeclaration) -> String? {
    guard !path.value.isSplit else { return nil }
    if let text = path.value.constantText { return PathText.normalized(text) }
    do throws(ResolutionError) {
      let resolved = try path.value.resolve(with: scope(flow))
      return resolved.isSecret ? nil : PathText.normalized(resolved.text)
    } catch {
      return nil
    }
  }
}

extension FlowDeclaration {
  /// Whether the flow may use a refresh token of which each can be used only once.
  package var mayUseSingleUseToken: Bool { singleUseToken != nil }

  /// The source location of an authorization with a single-use refresh token; nil without one.
  fileprivate var singleUseToken: SourceRange? { auth.flatMap(Self.singleUseToken) }

  private static func singleUseToken(in auth: Located<WrittenAuth>) -> SourceRange? {
    switch auth.value {
    case .oauth2(let oauth2): oauth2.refreshToken != nil && oauth2.isSingleUse ? auth.range : nil
    case .choose(let choice):
      (choice.cases.map(\.value) + [choice.otherwise].compactMap { $0 }).lazy.compactMap(singleUseToken).first
    default: nil
    }
  }

  /// The files from which the flow takes parents.
  fileprivate var inputFiles: [Located<Template>] { each?.parents.flatMap(\.source.files) ?? [] }

  /// The files that the flow writes.
  fileprivate var outputFiles: [Located<Template>] {
    result.targets.compactMap(\.path) + [result.rejected?.path, download].compactMap { $0 }
  }
}

extension EachSource {
  fileprivate var files: [Located<Template>] {
    switch self {
    case .file(let path, _): [path]
    case .union(let parts): parts.flatMap(\.files)
    case .flow, .values, .expression, .rows, .replacement: []
    }
  }
}
