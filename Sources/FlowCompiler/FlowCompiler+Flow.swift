internal import Expressions
internal import FlowSpec
internal import HTTPTransport
internal import ReactorCore
internal import Records
internal import SourceDiagnostics
internal import Storage

extension FlowCompiler {
  /// What flows are compiled in: the same for all of them.
  struct Surroundings: Sendable {
    /// What templates may use, by file.
    var scopes: [String: ResolutionScope] = [:]
    let now: ExpressionTimestamp
    /// The flows whose records others take.
    let parents: Set<String>
  }

  /// What one thread compiles with: what it has read for one flow need not be read again for the next.
  struct Tools {
    var resolver = RequestResolver(scope: ResolutionScope())
    var schemas: [SourceRange: CompiledSchema] = [:]
  }

  /// What became of one flow.
  struct Compiled: Sendable {
    var diagnostics = DiagnosticBag()
    /// The files that it writes, which nobody else may.
    var outputs: [Located<String>] = []
    /// Nil where something is wrong.
    var flow: CompiledFlow?
  }

  func surroundings(of declarations: [FlowDeclaration], _ diagnostics: inout DiagnosticBag) -> Surroundings {
    var taken: Set<String> = []
    for declaration in declarations { taken.formUnion(declaration.parents) }
    // What is asked for again is nothing whole that others could take.
    let parents = inputs.isRetryingRejected ? [] : taken
    var surroundings = Surroundings(now: environment.wallClock.now, parents: parents)
    for place in declarations.indices {
      let path = declarations[place].file.path
      guard surroundings.scopes[path] == nil else { continue }
      surroundings.scopes[path] = declarations[place].file.scope(
        overrides: inputs.overrides, secrets: inputs.secrets, environment: inputs.environment,
        diagnostics: &diagnostics)
    }
    return surroundings
  }

  /// Compiles one flow.
  func compile(_ declared: FlowDeclaration, in surroundings: Surroundings, with tools: inout Tools) -> Compiled {
    var declaration = declared
    var compiled = Compiled()
    var scope = surroundings.scopes[declaration.file.path] ?? ResolutionScope()
    let now = environment.seam?.moment(declaration.id).map { moment in WallClock { moment }.now } ?? surroundings.now
    scope.now = now
    let schema = declaration.schema.map { compiledSchema($0, known: &tools.schemas) } ?? .wholeRecords
    tools.resolver.scope = scope
    tools.resolver.diagnostics = DiagnosticBag()
    let request = tools.resolver.request(declaration)
    let output = tools.resolver.output(declaration)
    let rejected = tools.resolver.rejected(declaration)
    let cursor = tools.resolver.cursor(declaration, since: inputs.since, isFullRefresh: inputs.isFullRefresh)
    let files = tools.resolver.parentFiles(declaration) { schema in
      schema.map { compiledSchema($0, known: &tools.schemas) } ?? .wholeRecords
    }
    let lists = tools.resolver.parentLists(declaration)
    declaration = tools.resolver.fillMapping(declaration)
    compiled.diagnostics.merge(tools.resolver.diagnostics)
    var options = HTTPOptions()
    var auth: ResolvedAuth?
    if let request {
      options = self.options(for: declaration, request)
      auth = ResolvedAuth.none
      if declaration.auth != nil {
        var resolver = AuthResolver(environment: environment, scope: scope, options: options)
        auth = resolver.auth(declaration)
        compiled.diagnostics.merge(resolver.diagnostics)
      }
      auth?.adapt(&options, environment.secrets)
    }
    if let output, let place = declaration.persistence?.path.range {
      compiled.outputs.append(Located(output.text, at: place))
      if output.format == .csv, declaration.schema == nil {
        compiled.diagnostics.report(Self.tableWithoutSchema(place))
      }
    }
    if let rejected, let place = declaration.rejected?.range {
      compiled.outputs.append(Located(rejected.text, at: place))
    }
    guard !compiled.diagnostics.hasErrors, let request, let auth else { return compiled }
    let isParent = surroundings.parents.contains(declaration.id)
    compiled.flow = CompiledFlow(
      flow: DeclaredFlow(
        declaration: declaration, request: request, schema: schema, output: output, rejected: rejected,
        allowedPrune: inputs.allowedPrune, options: options, auth: auth, environment: environment,
        timeout: wholeTime(declaration), feed: isParent ? environment.feed(of: declaration.id) : nil,
        isParent: isParent || inputs.parents.contains(declaration.id),
        sources: ParentSources(
          files: files, lists: lists, identity: ParentIdentity(declaration)),
        scope: scope, cursor: cursor,
        encoder: encoder(declaration, now: surroundings.now),
        isRetrying: inputs.isRetryingRejected && rejected != nil && (declaration.each != nil || cursor != nil),
        isFullRefresh: inputs.isFullRefresh && (cursor != nil || declaration.each?.asksOnlyChanged ?? false)))
    return compiled
  }

  /// Encodes what a flow sends; nil where that is nothing, or records as they are kept.
  private func encoder(_ declaration: FlowDeclaration, now: ExpressionTimestamp) -> PayloadEncoder? {
    guard let records = declaration.request.body?.records, let schema = records.schema else { return nil }
    return PayloadEncoder(
      RecordSchema(schema), sendsNulls: records.sendsNulls, recordType: schema.recordType, now: now)
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
    // Who waits longer for the whole waits longer for the next bytes of it too; in whole seconds, as libcurl counts them.
    options.lowSpeedTime = max(options.lowSpeedTime, .seconds(options.timeout.components.seconds / 2))
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
