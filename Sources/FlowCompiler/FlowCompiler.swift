public import FlowRuntime
public import FlowSpec
internal import ReactorCore
public import SourceDiagnostics

/// Turns declarations into plans: resolves names, checks paths, compiles schemas. Opens nothing.
///
/// Its result depends on the declarations and the inputs alone. `FlowEnvironment.flows(for:)` makes plans run.
public struct FlowCompiler: Sendable {
  /// Values for the names that files refer to.
  public struct Inputs: Sendable {
    /// Values given for variables.
    public var overrides: VariableOverrides
    /// Secrets by name.
    public var secrets: [String: Secret]
    /// Environment variables by name.
    public var environment: [String: String]
    /// Replaces every flow's timeout, in seconds.
    public var timeout: Double?
    /// How many records of a response may be rejected at most, whatever the flows expect; nil is any number.
    public var allowedPrune: AllowedPrune?

    /// Whether flows with a cursor forget what is remembered and replace their results.
    public var isFullRefresh = false
    /// Where flows with a cursor begin, whatever is remembered, as somebody wrote it.
    public var since: String?
    /// Whether flows ask again only for items that failed and records that were rejected, as their files say.
    public var isRetryingRejected = false

    /// The ids of the parent flows, also of children that are not compiled now: another run may
    /// compile them.
    public var parents: Set<String> = []

    /// What `now()` means in a flow, since 1970-01-01T00:00:00Z, by the flow's id; the time of this value unless given.
    public var present: @Sendable (_ flow: String) -> Duration

    /// Takes the values.
    public init(
      overrides: VariableOverrides = VariableOverrides(), secrets: [String: Secret] = [:],
      environment: [String: String] = [:], timeout: Double? = nil, allowedPrune: AllowedPrune? = nil
    ) {
      self.overrides = overrides
      self.secrets = secrets
      self.environment = environment
      self.timeout = timeout
      self.allowedPrune = allowedPrune
      let now = WallClock.system.sinceEpoch()
      present = { _ in now }
    }
  }

  /// The plans of flows, in the order of their declarations, and what is wrong with the others.
  public struct Compilation: Sendable {
    /// Plans without a problem.
    public var plans: [FlowPlan]
    /// Problems, in the order found.
    public var diagnostics: DiagnosticBag
  }

  let inputs: Inputs

  /// Builds a compiler.
  public init(inputs: Inputs = Inputs()) { self.inputs = inputs }

  /// Compiles flows. A flow with a problem is left out and reported; the others are not affected.
  public func compile(_ declarations: [FlowDeclaration]) -> Compilation {
    var compilation = Compilation(plans: [], diagnostics: DiagnosticBag())
    let surroundings = surroundings(of: declarations, &compilation.diagnostics)
    let compiled = declarations.concurrentChunks(minimum: 64) { declarations in
      var tools = Tools()
      return declarations.map { compile($0, in: surroundings, with: &tools) }
    }
    var causes = MissingValues(surroundings.scopes.values)
    var outputs = OutputPaths()
    outputs.reserve(declarations.count)
    compilation.plans.reserveCapacity(declarations.count)
    for (index, one) in compiled.joined().enumerated() {
      var diagnostics = one.diagnostics
      for path in one.outputs {
        if let conflict = outputs.take(path.value, of: declarations[index].id, at: path.range) {
          diagnostics.report(conflict)
        }
      }
      for diagnostic in diagnostics.diagnostics where causes.take(diagnostic) {
        compilation.diagnostics.report(diagnostic)
      }
      if let plan = one.plan, !diagnostics.hasErrors { compilation.plans.append(plan) }
    }
    compilation.diagnostics = compilation.diagnostics.withoutRepeats
    return compilation
  }

  /// What can be told to be wrong without any value for a name: what `reactor check` adds to the loader's findings.
  public static func problems(in declarations: [FlowDeclaration]) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    // By index: a loop over the elements copies every declaration.
    for index in declarations.indices {
      if let path = declarations[index].rejected { _ = output(path, &diagnostics) }
      for case .file(let path, nil) in declarations[index].each?.parents.map(\.source) ?? [] {
        let isTable = path.value.constantText?.hasSuffix(".csv") ?? false
        if isTable { diagnostics.report(tableWithoutSchema(path.range)) }
      }
      guard let path = declarations[index].persistence?.path, let output = output(path, &diagnostics) else { continue }
      if output.isCSV, declarations[index].schema == nil { diagnostics.report(tableWithoutSchema(path.range)) }
    }
    return diagnostics
  }

  /// Where a path leads that is known before the run; reported where that is no place for a result.
  private static func output(_ path: Located<Template>, _ diagnostics: inout DiagnosticBag) -> RecordPath? {
    guard let text = path.value.constantText else { return nil }
    do throws(RecordPathError) {
      return try RecordPath(parsing: text)
    } catch {
      diagnostics.report(invalidOutput(error, at: path.range))
      return nil
    }
  }

  static func invalidOutput(_ error: RecordPathError, at range: SourceRange) -> Diagnostic {
    Diagnostic(FlowCode.invalidOutput.code, error.message, at: range, help: error.help)
  }

  static func tableWithoutSchema(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      FlowCode.invalidOutput.code, "a CSV file needs a schema, which names its columns", at: range,
      help: "declare a schema, or persist to .jsonl")
  }
}
