internal import Expressions
public import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import Records
public import SourceDiagnostics
internal import Storage

/// Turns declarations into flows that can run: names are resolved, paths checked, schemas compiled. Opens nothing.
public struct FlowCompiler {
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
    /// How many records of an answer may be rejected at most, whatever the flows expect; nil is any number.
    public var allowedPrune: AllowedPrune?

    /// Whether flows with a cursor forget what is remembered and replace their results.
    public var isFullRefresh = false
    /// Where flows with a cursor begin, whatever is remembered, as somebody wrote it.
    public var since: String?
    /// Whether flows ask again only for what came to nothing before, as their files of rejected records tell.
    public var isRetryingRejected = false

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

  private let environment: FlowEnvironment
  private let inputs: Inputs

  /// Builds a compiler.
  public init(environment: FlowEnvironment, inputs: Inputs = Inputs()) {
    self.environment = environment
    self.inputs = inputs
  }

  /// Compiles flows. A flow with a problem is left out and reported; the others are not affected.
  public func compile(_ declarations: [FlowDeclaration]) -> Compilation {
    var compilation = Compilation(flows: [], diagnostics: DiagnosticBag())
    var scopes: [String: ResolutionScope] = [:]
    let now = environment.wallClock.now
    var plans: [SourceRange: CompiledSchema] = [:]
    var outputs = OutputPaths()
    var resolver = RequestResolver(scope: ResolutionScope())
    let keys = Dictionary(
      declarations.lazy.map { ($0.id, $0.schema?.key.map(\.value) ?? []) }, uniquingKeysWith: { first, _ in first })
    // What is asked for again is nothing whole that others could take.
    let parents = inputs.isRetryingRejected ? [] : Set(declarations.lazy.flatMap(\.parents))
    for var declaration in declarations {
      var scope =
        scopes[declaration.file.path]
        ?? declaration.file.scope(
          overrides: inputs.overrides, secrets: inputs.secrets, environment: inputs.environment,
          diagnostics: &compilation.diagnostics)
      scope.now = environment.seam?.moment(declaration.id).map { moment in WallClock { moment }.now } ?? now
      scopes[declaration.file.path] = scope
      var diagnostics = DiagnosticBag()
      let schema = declaration.schema.map { compiledSchema($0, known: &plans) } ?? .wholeRecords
      resolver.scope = scope
      resolver.diagnostics = DiagnosticBag()
      let request = resolver.request(declaration)
      let output = resolver.output(declaration)
      let rejected = resolver.rejected(declaration)
      let cursor = resolver.cursor(declaration, since: inputs.since, isFullRefresh: inputs.isFullRefresh)
      let files = resolver.parentFiles(declaration) { schema in
        schema.map { compiledSchema($0, known: &plans) } ?? .wholeRecords
      }
      let lists = resolver.parentLists(declaration)
      resolver.fillMapping(&declaration)
      diagnostics.merge(resolver.diagnostics)
      var options = request.map { self.options(for: declaration, $0) }
      var auth: ResolvedAuth?
      if let own = options {
        var resolver = AuthResolver(environment: environment, scope: scope, options: own)
        auth = resolver.auth(declaration)
        auth?.adapt(&options, environment.secrets)
        diagnostics.merge(resolver.diagnostics)
      }
      if let output, let place = declaration.persistence?.path.range,
        let conflict = outputs.take(output.text, of: declaration.id, at: place)
      {
        diagnostics.report(conflict)
      }
      if let rejected, let place = declaration.rejected?.range,
        let conflict = outputs.take(rejected.text, of: declaration.id, at: place)
      {
        diagnostics.report(conflict)
      }
      if let output, output.format == .csv, declaration.schema == nil, let place = declaration.persistence?.path.range {
        diagnostics.report(Self.tableWithoutSchema(place))
      }
      compilation.diagnostics.merge(diagnostics)
      guard !diagnostics.hasErrors, let request, let options, let auth else { continue }
      compilation.flows.append(
        DeclaredFlow(
          declaration: declaration, request: request, schema: schema, output: output, rejected: rejected,
          allowedPrune: inputs.allowedPrune, options: options, auth: auth, environment: environment,
          timeout: wholeTime(declaration),
          feed: parents.contains(declaration.id) ? environment.feed(of: declaration.id) : nil,
          files: files, lists: lists, scope: scope, cursor: cursor, encoder: encoder(declaration, now: now),
          isRetrying: inputs.isRetryingRejected && declaration.each != nil && rejected != nil,
          parentKeys: Self.parentKeys(of: declaration, keys)
        ).compiled)
    }
    return compilation
  }

  /// Encodes what a flow sends; nil where that is nothing, or records as they are kept.
  private func encoder(_ declaration: FlowDeclaration, now: ExpressionTimestamp) -> PayloadEncoder? {
    guard let records = declaration.request.body?.records, let schema = records.schema else { return nil }
    return PayloadEncoder(
      RecordSchema(schema), sendsNulls: records.sendsNulls, recordType: schema.recordType, now: now)
  }

  /// The fields that tell the records of each parent apart, by the parent's name.
  private static func parentKeys(of declaration: FlowDeclaration, _ keys: [String: [String]]) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for parent in declaration.each?.parents ?? [] {
      switch parent.source {
      case .flow(let id): found[parent.name.value] = keys[id.value]
      case .file(_, let schema): found[parent.name.value] = schema?.key.map(\.value)
      case .values, .expression: break
      }
    }
    return found
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
      DiagnosticCode(rawValue: "flow.invalid-output"), mistake.description, at: range, help: mistake.remedy)
  }

  static func tableWithoutSchema(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      DiagnosticCode(rawValue: "flow.invalid-output"), "a CSV file needs a schema, which names its columns", at: range,
      help: "declare a schema, or persist to .jsonl")
  }

  private func compiledSchema(
    _ schema: SchemaDeclaration, known: inout [SourceRange: CompiledSchema]
  ) -> CompiledSchema {
    if let compiled = known[schema.range] { return compiled }
    let compiled = CompiledSchema(RecordSchema(schema))
    known[schema.range] = compiled
    return compiled
  }

  /// The longest that a flow may take, in seconds: its deadline, else the time for every try of its request and the
  /// waits between them, or an hour for several.
  private func wholeTime(_ declaration: FlowDeclaration) -> Double {
    if let deadline = declaration.deadline { return deadline.value }
    let (retries, longestWait) = (Double(declaration.retry.max), declaration.retry.maxWait)
    let request = (inputs.timeout ?? declaration.timeout.value) * (retries + 1) + longestWait * retries
    return declaration.isOneRequest ? request : max(3600, request)
  }

  private func options(for declaration: FlowDeclaration, _ request: ResolvedRequest) -> HTTPOptions {
    var options = HTTPOptions()
    options.secretHeaderNames = request.secretHeaderNames
    options.hasSecretBody = request.hasSecretBody
    options.timeout = .seconds(inputs.timeout ?? declaration.timeout.value)
    options.maxBodyBytes = declaration.maxBytes
    switch declaration.redirects {
    case .sameOrigin: options.redirects = HTTPRedirects(scope: .sameOrigin)
    case .any: options.redirects = HTTPRedirects(scope: .anyOrigin)
    case .none: options.redirects = HTTPRedirects(scope: .none)
    }
    options.allow = declaration.allow.map(HTTPAllowList.init)
    options.certificateFile = declaration.caFile?.value
    options.proxies = request.proxies ?? environment.proxies
    return options
  }
}

extension HTTPAllowList {
  fileprivate init(_ entries: [AllowDeclaration]) {
    self.init()
    for entry in entries {
      switch entry {
      case .host(let pattern): hosts.append(pattern)
      case .network(let bytes, let bits, _): networks.append(Network(bytes: bytes, bits: bits))
      }
    }
  }
}
