internal import Boxes
internal import Expressions
internal import FlowRuntime
internal import FlowSpec
internal import FlowModel
internal import ReactorCore
internal import Records
internal import SourceDiagnostics

extension FlowCompiler {
  /// The values that all flows of a compilation share.
  struct Surroundings: Sendable {
    /// The values that templates may use, by file and item.
    var scopes: [String: ResolutionScope] = [:]
    /// The values of `vars`, `secrets` and `env` for expressions that a run evaluates, by file and item.
    var fixed: [String: [String: ExpressionValue]] = [:]
    /// The ids of the flows that are parents of other flows.
    let parents: Set<String>
  }

  /// The tools of one thread. They cache parsed values from one flow to the next.
  struct Tools {
    var resolver = RequestResolver(scope: ResolutionScope())
    var schemas: [ObjectIdentifier: Schema] = [:]

    /// A schema with the source locations of its fields.
    struct Schema {
      var compiled: CompiledSchema
      var fields: [PlanLocations.Field]
    }

    mutating func schema(_ declared: SchemaDeclaration) -> Schema {
      if let known = schemas[ObjectIdentifier(declared)] { return known }
      let schema = Schema(compiled: CompiledSchema(RecordSchema(declared)), fields: PlanLocations.fields(of: declared))
      schemas[ObjectIdentifier(declared)] = schema
      return schema
    }
  }

  /// The result of compiling one flow.
  struct Compiled: Sendable {
    var diagnostics = DiagnosticBag()
    /// The paths that the flow writes. No other flow may write them.
    var outputs: [Located<String>] = []
    /// The tables that the flow loads; no other flow may load them.
    var tables: [(database: String, name: Located<String>)] = []
    /// The path of the files that the flow stores as received; nil if it stores none.
    var download: Located<PathTemplate>?
    /// The plan; nil after an error.
    var plan: FlowPlan?
  }

  func surroundings(of declarations: [FlowDeclaration], _ diagnostics: inout DiagnosticBag) -> Surroundings {
    var taken: Set<String> = []
    for declaration in declarations { taken.formUnion(declaration.parents) }
    // The result of a retry is incomplete, so child flows must not use it.
    let parents = inputs.isRetryingRejected ? [] : taken
    var surroundings = Surroundings(parents: parents)
    let budget = LoadBudget()
    for index in declarations.indices {
      let path = declarations[index].file.scopeKey
      guard surroundings.scopes[path] == nil else { continue }
      var scope = declarations[index].file.scope(
        overrides: inputs.overrides, secrets: inputs.secrets, environment: inputs.environment,
        diagnostics: &diagnostics)
      scope.budget = budget
      surroundings.scopes[path] = scope
      for root in ["vars", "secrets", "env"] { surroundings.fixed[path, default: [:]][root] = scope.value(of: root) }
    }
    return surroundings
  }

  /// Compiles one flow.
  func compile(_ declaration: FlowDeclaration, in surroundings: Surroundings, with tools: inout Tools) -> Compiled {
    var compiled = Compiled()
    var scope = surroundings.scopes[declaration.file.scopeKey] ?? ResolutionScope()
    scope.derivedSecrets = DerivedSecrets()
    let present = inputs.present(declaration.id)
    scope.now = WallClock { present }.now
    var fixed = surroundings.fixed[declaration.file.scopeKey] ?? [:]
    if declaration.file.variables.contains(where: { $0.computed != nil }) {
      scope.compute(declaration.file.variables, diagnostics: &compiled.diagnostics)
      fixed["vars"] = scope.value(of: "vars")
    }
    scope.schemaFields = declaration.schema?.fields.filter { $0.value == nil }.map(\.name) ?? []
    fixed["schema"] = scope.value(of: "schema")
    tools.resolver.scope = scope
    tools.resolver.diagnostics = DiagnosticBag()
    let request = tools.resolver.request(declaration.pull.request, of: declaration.id)
    let result = self.result(declaration, with: &tools, &compiled)
    let cursor = tools.resolver.cursor(declaration, inputs.zones)
    let since = tools.resolver.since(inputs.since, of: cursor)
    var resolver = tools.resolver
    let each = resolver.each(declaration) { tools.schema($0).compiled }
    let addedFields = each.map { resolver.addedFields($0) } ?? []
    tools.resolver = resolver
    let records = self.records(declaration, scope, with: &tools)
    guard let request else {
      compiled.diagnostics.merge(tools.resolver.diagnostics)
      return compiled
    }
    let transfer = tools.resolver.transfer(declaration, timeout: inputs.timeout)
    let pages = tools.resolver.pages(declaration)
    let job = tools.resolver.job(declaration)
    let fieldGroups = tools.resolver.fieldGroups(declaration)
    let download = tools.resolver.download(declaration)
    compiled.download = download
    if let download { compiled.outputs.append(Located(download.value.text, at: download.range)) }
    compiled.diagnostics.merge(tools.resolver.diagnostics)
    var authorization = AuthResolver(scope: scope)
    let chosen = authorization.chosen(declaration)
    let auth = chosen.flatMap { authorization.plan($0.declaration, choice: $0.words) }
    compiled.diagnostics.merge(authorization.diagnostics)
    let condition = condition(declaration, scope, &compiled.diagnostics)
    guard !compiled.diagnostics.hasErrors, let auth, let chosen else { return compiled }
    let declaration = chosen.declaration
    let fields = declaration.schema.map { tools.schema($0).fields } ?? []
    var plan = FlowPlan(
      FlowOrigin(declaration, fields: fields), request,
      scope: EvaluationScope(fixed, now: scope.now))
    plan.origin.condition = condition
    plan.auth = auth
    plan.$transfer = transfer
    plan.acceptedStatuses = declaration.expect.status
    plan.timeout = declaration.wholeTime(transfer.wrappedValue)
    plan.checksReachability = declaration.reachability
    plan.isIdempotent = declaration.transfer.retry.isIdempotent || declaration.pull.request.idempotency != nil
    plan.records = records
    plan.result = result
    plan.pages = pages
    plan.fieldGroups = fieldGroups
    plan.each = each
    plan.addedFields = addedFields
    plan.cursor = cursor
    plan.since = since
    plan.job = job
    plan.download = download
    plan.handsOnRecords = surroundings.parents.contains(declaration.id)
    plan.isParent = plan.handsOnRecords || inputs.parents.contains(declaration.id)
    plan.isRetrying = inputs.isRetryingRejected && result.rejected != nil && (each != nil || cursor != nil)
    plan.isFullRefresh = inputs.isFullRefresh && plan.isIncremental
    if let first = declaration.inFirstRun {
      let first = compile(first, in: surroundings, with: &tools)
      compiled.diagnostics.merge(first.diagnostics)
      guard let other = first.plan else { return compiled }
      plan.firstRun = other
      plan.timeout = max(plan.timeout, other.timeout)
    }
    let identity = ResultIdentity(declaration: declaration, plan: plan, scope: scope)
    plan.key = identity.key(isJudged: !plan.isIncremental)
    if plan.retainsFailed { plan.recordsKey = identity.key(isJudged: false) }
    plan.derivedSecrets = scope.derivedSecrets.all
    compiled.plan = plan
    return compiled
  }

  /// The condition under which the flow runs, with its present value; nil if the flow always runs.
  private func condition(
    _ declaration: FlowDeclaration, _ scope: ResolutionScope, _ diagnostics: inout DiagnosticBag
  ) -> String? {
    guard let condition = declaration.when else { return nil }
    do throws(ResolutionError) {
      return "\(condition.value.text) (now \(try scope.value(of: condition) == .bool(true)))"
    } catch {
      diagnostics.report(error.diagnostic)
      return nil
    }
  }

  /// Resolves the files and tables of the flow's result and of its rejected records.
  private func result(
    _ declaration: FlowDeclaration, with tools: inout Tools, _ compiled: inout Compiled
  ) -> ResultStorage<ResolvedTarget> {
    let rejected = tools.resolver.rejected(declaration)
    var targets: [ResolvedTarget] = []
    Self.problems(ofSplit: declaration, &compiled.diagnostics)
    for declared in declaration.result.targets {
      guard let target = tools.resolver.target(declared, of: declaration) else { continue }
      targets.append(target)
      switch (target, declared) {
      case (.table(let table), .table(let declared)):
        compiled.tables.append((table.store.identity, Located(table.name, at: declared.name.range)))
        Self.problems(
          of: declaration, declared, named: table.name, in: table.store.dialect, &compiled.diagnostics)
      case (.file(let output), _):
        compiled.outputs.append(Located(output.text, at: declared.range))
        if output.isCSV, declaration.schema == nil {
          compiled.diagnostics.report(Self.tableWithoutSchema(declared.range))
        }
      case (.table, .file): break
      }
    }
    let result = declaration.result.with(targets, rejected: rejected)
    guard let range = declaration.result.rejected?.range else { return result }
    switch rejected {
    case .file(let path)?: compiled.outputs.append(Located(path.text, at: range))
    case .table(let table)?:
      compiled.tables.append((table.store.identity, Located(table.name, at: range)))
      Self.problems(ofRejected: table.name, in: table.store.dialect, at: range, &compiled.diagnostics)
    case nil: break
    }
    return result
  }

  /// Builds the plan that finds, maps and checks the records.
  private func records(
    _ declaration: FlowDeclaration, _ scope: ResolutionScope, with tools: inout Tools
  ) -> RecordsPlan {
    var records = RecordsPlan()
    records.path = tools.resolver.recordsPath(declaration)
    records.format = declaration.pull.decode.flatMap { $0.isPlainJSON ? nil : $0 }
    if let schema = declaration.schema { records.schema = tools.schema(schema).compiled }
    records.transform = RecordTransform(declaration, records.schema, scope: scope)
    records.isStrict = !declaration.prune
    records.takesOnePage = declaration.pull.isOnePageMeant
    records.expectations = declaration.expect
    if let most = inputs.maxRejected { records.expectations.maxRejected = most }
    return records
  }
}
