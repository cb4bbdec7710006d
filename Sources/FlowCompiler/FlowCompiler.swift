internal import DetachedThread
public import FlowModel
public import FlowRuntime
public import FlowSpec
internal import ReactorCore
public import SourceDiagnostics

/// Compiles declarations into plans: resolves names, checks paths, compiles schemas. It opens no files and no
/// connections.
///
/// The plans depend only on the declarations and the inputs. `FlowEnvironment.flows(for:)` makes plans ready to run.
public struct FlowCompiler: Sendable {
  /// The values for the names in flow files, and the options of a run.
  public struct Inputs: Sendable {
    /// Values that override the declared variables.
    public var overrides: VariableOverrides
    /// The secrets, by name.
    public var secrets: [String: Secret]
    /// The environment variables, by name.
    public var environment: [String: String]
    /// Replaces the timeout of every flow, in seconds; nil to use the declared timeouts.
    public var timeout: Double?
    /// How many records may be rejected, instead of what the flows declare; nil to use the declared limits.
    public var maxRejected: CountOrShare?

    /// Whether flows with a cursor ignore their remembered state and replace their results.
    public var isFullRefresh = false
    /// The start for flows with a cursor, as the user wrote it. It overrides the remembered state.
    public var since: String?
    /// Whether the run is a retry.
    ///
    /// In a retry, flows request only the items and records in their files of rejected records.
    public var isRetryingRejected = false

    /// The ids of the flows that are parents of other flows.
    ///
    /// The set includes the parents of child flows that only another run compiles.
    public var parents: Set<String> = []

    /// The value of `now()` for a flow, by its id, as the duration since 1970-01-01T00:00:00Z.
    ///
    /// By default the time at which the inputs were created.
    public var present: @Sendable (_ flow: String) -> Duration

    /// The source of the rules of time zones.
    package var zones = ZoneDatabase.system

    /// Whether flows are compiled although their `when` is false, for a caller that has already decided which flows
    /// run, or that only describes flows.
    public var ignoresConditions = false

    /// Creates inputs.
    public init(
      overrides: VariableOverrides = VariableOverrides(), secrets: [String: Secret] = [:],
      environment: [String: String] = [:], timeout: Double? = nil, maxRejected: CountOrShare? = nil
    ) {
      self.overrides = overrides
      self.secrets = secrets
      self.environment = environment
      self.timeout = timeout
      self.maxRejected = maxRejected
      let now = WallClock.system.sinceEpoch()
      present = { _ in now }
    }
  }

  /// The plans of valid flows and the diagnostics of the other flows.
  public struct Compilation: Sendable {
    /// The plans of the flows without an error, in the order of their declarations.
    public var plans: [FlowPlan]
    /// The flows that are not part of the run, in the order of their declarations.
    public var leftOut: [LeftOut] = []
    /// The diagnostics, in the order in which they were found.
    public var diagnostics: DiagnosticBag
  }

  let inputs: Inputs

  /// Creates a compiler.
  public init(inputs: Inputs = Inputs()) { self.inputs = inputs }

  /// Compiles flows. A flow with an error is left out and reported. It does not affect the other flows.
  ///
  /// A flow whose `when` is false is not compiled.
  public func compile(_ declarations: [FlowDeclaration]) -> Compilation {
    let decision = decide(declarations)
    let declarations = decision.flows
    var compilation = Compilation(plans: [], leftOut: decision.leftOut, diagnostics: DiagnosticBag())
    let surroundings = surroundings(of: declarations, &compilation.diagnostics)
    let compiled = declarations.concurrentChunks(minimum: 64) { declarations in
      var tools = Tools()
      return declarations.map { compile($0, in: surroundings, with: &tools) }
    }
    var causes = MissingValues(surroundings.scopes.values)
    var outputs = OutputPaths()
    outputs.reserve(declarations.count)
    compilation.plans.reserveCapacity(declarations.count)
    for diagnostic in decision.diagnostics.diagnostics where causes.take(diagnostic) {
      compilation.diagnostics.report(diagnostic)
    }
    let flows = compiled.joined()
    var results: [(path: String, flow: String)] = []
    if flows.contains(where: { $0.download != nil }) {
      for (index, one) in flows.enumerated() {
        results += one.outputs.filter { $0.range != one.download?.range }.map { ($0.value, declarations[index].id) }
      }
    }
    for (index, one) in flows.enumerated() {
      var diagnostics = one.diagnostics
      diagnostics.merge(one.problems(with: results))
      for path in one.outputs {
        if let conflict = outputs.take(path.value, of: declarations[index].id, at: path.range) {
          diagnostics.report(conflict)
        }
      }
      for table in one.tables {
        if let conflict = outputs.take(
          table: table.name.value, of: table.database, by: declarations[index].id, at: table.name.range)
        {
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

  /// The problems that can be found before variables and secrets have values. `reactor check` adds them to the
  /// diagnostics of the loader.
  public static func problems(in declarations: [FlowDeclaration]) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    // By index, because a loop over the elements copies every declaration.
    for index in declarations.indices {
      if let path = declarations[index].result.rejected?.path { _ = output(path, &diagnostics) }
      for case .file(let path, nil) in declarations[index].each?.parents.flatMap(\.source.parts) ?? [] {
        let parsed = path.value.constantText.flatMap { try? RecordPath(parsing: $0) }
        if parsed?.isCSV ?? false { diagnostics.report(tableWithoutSchema(path.range)) }
      }
      problems(ofTable: declarations[index], &diagnostics)
      problems(ofSplit: declarations[index], &diagnostics)
      for case .file(let path) in declarations[index].result.targets {
        guard let output = output(path, &diagnostics), output.isCSV, declarations[index].schema == nil else { continue }
        diagnostics.report(tableWithoutSchema(path.range))
      }
    }
    ZoneDatabase.system.checkSchedules(of: declarations, &diagnostics)
    return diagnostics
  }

  /// The path of a result, if it is known before the run. Reports a path that is not valid for a result.
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
