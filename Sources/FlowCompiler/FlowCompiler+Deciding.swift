internal import Expressions
internal import FlowModel
internal import FlowRuntime
public import FlowSpec
internal import JSONSyntax
internal import ReactorCore
public import SourceDiagnostics

extension FlowCompiler {
  /// The flows of a run, after variables have decided which flows run and which sources they use.
  public struct Decision: Sendable {
    /// The flows of the run, in the given order, with the sources of `each` that are used.
    public var flows: [FlowDeclaration] = []
    /// The flows whose `when` is false, and their child flows, in the given order.
    public var leftOut: [LeftOut] = []
    /// Whether nothing had to be decided, so that the given flows are unchanged.
    public var isIdle = false
    /// The errors of expressions without a value. Their flows are neither in the run nor left out.
    public var diagnostics = DiagnosticBag()
  }

  /// A flow that is not part of the run.
  public struct LeftOut: Sendable, Hashable {
    /// The id of the flow.
    public let id: String
    /// Why the flow does not run, as a clause: `its condition is false: vars.region == 'eu'`.
    public let reason: String
  }

  /// Decides, from the values of variables, which flows run (`when`), and which sources they use (`only` of `each`).
  ///
  /// `compile(_:)` does this too. A caller that adds the parents of selected flows calls this function first, because
  /// the choice of a source decides which parents are needed. A decided flow stays as it is when it is decided again.
  public func decide(_ declarations: [FlowDeclaration]) -> Decision {
    // By index, because a loop over the elements copies every declaration.
    guard declarations.indices.contains(where: { declarations[$0].isUndecided }) else {
      return Decision(flows: declarations, isIdle: true)
    }
    var decision = Decision()
    var reasons: [String: String] = [:]
    var scopes: [String: ResolutionScope] = [:]
    for declaration in declarations {
      guard declaration.isUndecided else {
        decision.flows.append(declaration)
        continue
      }
      let path = declaration.file.scopeKey
      let known = scopes[path] ?? scope(of: declaration)
      scopes[path] = known
      var scope = known
      scope.now = WallClock { [inputs] in inputs.present(declaration.id) }.now
      // Errors in the values of variables are reported where the flows are compiled.
      var ignored = DiagnosticBag()
      scope.compute(declaration.file.variables, diagnostics: &ignored)
      do throws(ResolutionError) {
        var decided = declaration
        if !inputs.ignoresConditions, let reason = try decided.evaluateCondition(in: scope) {
          reasons[decided.id] = reason
        } else {
          try decided.chooseSources(in: scope)
        }
        decision.flows.append(decided)
      } catch {
        decision.diagnostics.report(error.diagnostic)
      }
    }
    leaveOut(&decision, declarations, reasons)
    return decision
  }

  private func scope(of declaration: FlowDeclaration) -> ResolutionScope {
    var ignored = DiagnosticBag()
    return declaration.file.scope(
      overrides: inputs.overrides, secrets: inputs.secrets, environment: inputs.environment, diagnostics: &ignored)
  }

  /// Moves flows whose condition is false, and their child flows, to `leftOut`.
  private func leaveOut(_ decision: inout Decision, _ declarations: [FlowDeclaration], _ reasons: [String: String]) {
    guard !reasons.isEmpty else { return }
    let graph = FlowGraph(decision.flows)
    var reasons = reasons
    for flow in graph.order where reasons[graph.ids[flow]] == nil {
      guard let parent = graph.parents[flow].first(where: { reasons[graph.ids[$0]] != nil }) else { continue }
      reasons[graph.ids[flow]] = "its parent \(graph.ids[parent]) does not run"
    }
    decision.flows.removeAll { reasons[$0.id] != nil }
    decision.leftOut = declarations.compactMap { flow in reasons[flow.id].map { LeftOut(id: flow.id, reason: $0) } }
  }
}

extension FlowDeclaration {
  /// Whether variables still decide whether the flow runs, or which source it uses.
  fileprivate var isUndecided: Bool { when != nil || each?.parents.contains { $0.instead != nil } ?? false }

  /// Evaluates `when` and removes it. Returns why the flow does not run; nil if it runs.
  fileprivate mutating func evaluateCondition(in scope: ResolutionScope) throws(ResolutionError) -> String? {
    guard let condition = when else { return nil }
    when = nil
    return try scope.value(of: condition) == .bool(true) ? nil : "its condition is false: \(condition.value.text)"
  }

  /// Replaces each source with its list in `only`, if that list has values.
  fileprivate mutating func chooseSources(in scope: ResolutionScope) throws(ResolutionError) {
    guard var each, each.parents.contains(where: { $0.instead != nil }) else { return }
    for index in each.parents.indices {
      guard let instead = each.parents[index].instead else { continue }
      each.parents[index].replaceSource(
        by: try ValueList.values(of: instead.list, key: "only", in: scope, mayBeMissing: true))
    }
    self.each = each
  }
}
