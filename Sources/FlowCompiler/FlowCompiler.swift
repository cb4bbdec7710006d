public import FlowRuntime
public import FlowSpec
internal import ReactorCore
internal import Records
public import SourceDiagnostics
internal import Storage

/// Turns declarations into flows that can run: names are resolved, paths checked, schemas compiled. Opens nothing.
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

    /// The flows whose records others take, by id, also where those others are not compiled: in another run, they may
    /// be.
    public var parents: Set<String> = []

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
    }
  }

  /// The flows that can run, in the order of their declarations, and what is wrong with the others.
  public struct Compilation: Sendable {
    /// Ready to run.
    public var flows: [CompiledFlow]
    /// Problems, in the order found.
    public var diagnostics: DiagnosticBag
  }

  let environment: FlowEnvironment
  let inputs: Inputs

  /// Builds a compiler.
  public init(environment: FlowEnvironment, inputs: Inputs = Inputs()) {
    self.environment = environment
    self.inputs = inputs
  }

  /// Compiles flows. A flow with a problem is left out and reported; the others are not affected.
  public func compile(_ declarations: [FlowDeclaration]) -> Compilation {
    var compilation = Compilation(flows: [], diagnostics: DiagnosticBag())
    let surroundings = surroundings(of: declarations, &compilation.diagnostics)
    // Flows that authorize themselves alike share a session, which the first of them makes: those keep their order.
    let compiled = declarations.concurrentChunks(minimum: 64) { declarations in
      var tools = Tools()
      return declarations.map { $0.auth == nil ? compile($0, in: surroundings, with: &tools) : nil }
    }
    var tools = Tools()
    var causes = MissingValues(surroundings.scopes.values)
    var outputs = OutputPaths()
    outputs.reserve(declarations.count)
    compilation.flows.reserveCapacity(declarations.count)
    for (place, done) in compiled.joined().enumerated() {
      var one = done ?? compile(declarations[place], in: surroundings, with: &tools)
      for path in one.outputs {
        if let conflict = outputs.take(path.value, of: declarations[place].id, at: path.range) {
          one.diagnostics.report(conflict)
        }
      }
      for diagnostic in one.diagnostics.diagnostics where causes.take(diagnostic) {
        compilation.diagnostics.report(diagnostic)
      }
      if let flow = one.flow, !one.diagnostics.hasErrors { compilation.flows.append(flow) }
    }
    compilation.diagnostics = compilation.diagnostics.withoutRepeats
    return compilation
  }

  /// What can be told to be wrong without any value for a name: what `reactor check` adds to the loader's findings.
  public static func problems(in declarations: [FlowDeclaration]) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    // By index: a loop over the elements copies every declaration.
    for place in declarations.indices {
      if let path = declarations[place].rejected { _ = output(path, &diagnostics) }
      for case .file(let path, nil) in declarations[place].each?.parents.map(\.source) ?? [] {
        let isTable = path.value.constantText?.hasSuffix(".csv") ?? false
        if isTable { diagnostics.report(tableWithoutSchema(path.range)) }
      }
      guard let path = declarations[place].persistence?.path, let output = output(path, &diagnostics) else { continue }
      if output.format == .csv, declarations[place].schema == nil { diagnostics.report(tableWithoutSchema(path.range)) }
    }
    return diagnostics
  }

  /// Where a path leads that is known before the run; reported where that is no place for a result.
  private static func output(_ path: Located<Template>, _ diagnostics: inout DiagnosticBag) -> OutputPath? {
    guard let text = path.value.constantText else { return nil }
    do throws(OutputPath.Mistake) {
      return try OutputPath(parsing: text)
    } catch {
      diagnostics.report(invalidOutput(error, at: path.range))
      return nil
    }
  }

  static func invalidOutput(_ mistake: OutputPath.Mistake, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      FlowCode.invalidOutput.code, mistake.description, at: range, help: mistake.remedy)
  }

  static func tableWithoutSchema(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      FlowCode.invalidOutput.code, "a CSV file needs a schema, which names its columns", at: range,
      help: "declare a schema, or persist to .jsonl")
  }
}
