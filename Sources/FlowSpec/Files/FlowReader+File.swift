internal import Boxes
internal import DetachedThread
internal import Expressions
internal import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The content of a flow file, without the parts that have errors.
  struct FileReading: Sendable {
    var declaration: FileDeclaration
    var flows: [FlowDeclaration]
    /// The names of all flows, including flows with errors.
    var names: [Located<String>]
    /// Whether some variables, their types or secrets could not be read because of errors.
    var hasInvalidNames = false
    /// Whether the names of some flows could not be read because of errors.
    var mayHaveMoreFlows = false
    /// The paths of the files whose items decide which flows there are, and which fields they have.
    var itemFiles: Set<String> = []
    /// The ids of the flows whose fields are not known yet.
    var unlocked: Set<String> = []
  }

  /// Reads a flow file.
  mutating func flowFile(_ root: YAMLNode, outer: SchemaSet) -> FileReading {
    let top = SourceRange(file: file, offsets: root.range.offsets.lowerBound..<root.range.offsets.lowerBound)
    let declaration = FileDeclaration(path: file.path, stem: stem, description: nil, variables: [], secrets: [])
    var reading = FileReading(declaration: declaration, flows: [], names: [])
    guard let nodes = open(root, as: FileKeys.construct, owner: top, scope: .nothing),
      isUnderstood(nodes.value(FileKeys.reactor))
    else { return reading }
    reading.declaration.description = read(FileKeys.description, of: nodes)
    let names = names(nodes, &reading.declaration)
    reading.hasInvalidNames = names.hasInvalidNames || names.variables.hasUntyped
    let (schemas, mayHaveMoreSchemas) = schemas(FileKeys.schemas, of: nodes)
    var resolver = SchemaResolver(schemas, outer: outer, file: file)
    var set = resolver.resolveAll()
    set.mayHaveMore = mayHaveMoreSchemas
    diagnostics.merge(resolver.diagnostics)
    let stores = self.stores(nodes.value(FileKeys.stores, in: Scope(file: names)))
    reading.declaration.stores = stores.stores
    let mayHaveMoreStores = stores.mayHaveMore || nodes.key(FileKeys.stores) == nil && !nodes.isLeftOut(FileKeys.stores)
    let scope = Scope(file: names.with(schemas: set, stores: mayHaveMoreStores ? nil : stores.names))
    var http = self.http(nodes.value(FileKeys.http, in: scope), over: Boxed(wrappedValue: Transfer()))
    if nodes.key(FileKeys.http) == nil, !nodes.isLeftOut(FileKeys.http) {
      (http.hasInvalidBaseURL, http.hasInvalidAuth) = (true, true)
    }
    let defaults = self.defaults(nodes.value(FileKeys.defaults, in: scope))
    reading.declaration.state = defaults.state
    reading.declaration.sharedSecrets = usedSecrets
    reading.declaration.receivers = NotifyKeys.receivers(&self, nodes.value(FileKeys.notify, in: scope))
    guard let flows = nodes.value(FileKeys.flows) else {
      reading.mayHaveMoreFlows = !nodes.isLeftOut(FileKeys.flows)
      if nodes.key(FileKeys.schemas) == nil, !nodes.hasError {
        report(
          .missingKey, "the file has no flows", at: top, help: "add, for example, 'flows: { customers: { … } }'")
      }
      return reading
    }
    let context = FileContext(reading.declaration, http, defaults, scope: scope)
    let members = self.members(of: flows, role: .flow) ?? []
    reading.mayHaveMoreFlows = members.count < Self.count(of: flows.node)
    reading.names.reserveCapacity(members.count)
    reading.flows.reserveCapacity(members.count)
    var computedErrors: [Diagnostic] = []
    for (generated, reader) in self.flows(members, in: context) {
      for generated in generated {
        reading.flows += generated.flows
        reading.names += generated.names
        reading.mayHaveMoreFlows = reading.mayHaveMoreFlows || generated.mayHaveMore
      }
      reading.itemFiles.formUnion(reader.itemFiles)
      reading.unlocked.formUnion(reader.unlocked)
      diagnostics.merge(reader.diagnostics)
      flowsWithoutBase += reader.flowsWithoutBase
      computedErrors += reader.computedErrors.diagnostics
    }
    if !nodes.isWritten(HTTPKeys.baseURL) { reportMissingBase() }
    // An error in a field of a schema is reported only at the first flow that uses the schema.
    var seen: Set<[Diagnostic.Note]> = []
    for error in computedErrors where seen.insert(error.notes + [Diagnostic.Note(error.message)]).inserted {
      diagnostics.report(error)
    }
    return reading
  }

  /// Reports a missing base URL once for the file, not once for each flow.
  private mutating func reportMissingBase() {
    guard let first = flowsWithoutBase.first else { return }
    let more = flowsWithoutBase.count - 1
    report(
      .missingBaseURL,
      "flow '\(first.value)' has no base URL"
        + (more > 0 ? ", and \(more) more \(more == 1 ? "flow has" : "flows have") none either" : ""),
      at: first.range, help: "add 'http: { base_url: https://… }' to the file or to the flow")
  }

  /// Reads the flows of a file, in parallel if there are many.
  private func flows(
    _ members: [YAMLMapping.Entry], in context: FileContext
  ) -> [(flows: [GeneratedFlows], reader: FlowReader)] {
    let whole = self
    return members.concurrentChunks(minimum: 64) { part in
      var reader = whole.part(part.count, of: members.count)
      let flows = part.map { entry in
        reader.usedSecrets = []
        var flows = reader.flows(entry, in: context)
        for index in flows.flows.indices { flows.flows[index].secrets = reader.usedSecrets }
        return flows
      }
      return (flows, reader)
    }
  }

  /// Reads a schema file. References between schemas are not resolved yet.
  ///
  /// Also returns whether the file may contain schemas that could not be read.
  mutating func schemaFile(_ root: YAMLNode) -> (schemas: [RawSchema], mayHaveMore: Bool) {
    let top = SourceRange(file: file, offsets: root.range.offsets.lowerBound..<root.range.offsets.lowerBound)
    guard let nodes = open(root, as: SchemaFileKeys.construct, owner: top, scope: .nothing),
      isUnderstood(nodes.value(SchemaFileKeys.reactor))
    else { return ([], false) }
    _ = read(SchemaFileKeys.description, of: nodes)
    return schemas(SchemaFileKeys.schemas, of: nodes)
  }

  /// Whether the version of the format that the file declares is supported.
  ///
  /// If not, no other error of the file is reported, because its keys could have any meaning.
  private mutating func isUnderstood(_ value: FieldValue?) -> Bool {
    guard let value else { return true }
    guard !value.node.isNull else { return true }
    if case .scalar(let scalar) = value.node.content, scalar.text == "1" { return true }
    diagnostics = DiagnosticBag()
    let written = if case .scalar(let scalar) = value.node.content { "'\(printable(scalar.text))'" } else { "this" }
    report(
      .unsupportedVersion, "\(written) is not a supported version of the format", at: value.node.range,
      help: "this program reads version 1")
    return false
  }

  /// Reads the variables and secrets of the file.
  private mutating func names(_ nodes: FieldNodes, _ file: inout FileDeclaration) -> FileScope {
    let keys: [any FieldSpec] = [FileKeys.vars, FileKeys.secrets]
    var hasError = keys.contains { nodes.key($0) == nil && !nodes.isLeftOut($0) }
    let errors = diagnostics.diagnostics.count
    let secrets = read(FileKeys.secrets, of: nodes) ?? []
    file.secrets = secrets.map(\.name)
    for secret in secrets { file.secretSources[secret.name.value] = secret.source }
    if diagnostics.diagnostics.count > errors { hasError = true }
    var variables = DeclaredVariables()
    if let value = nodes.value(FileKeys.vars) {
      let members = members(of: value, role: .variable) ?? []
      if Self.count(of: value.node) != members.count { hasError = true }
      for member in members {
        let name = Located(member.name, at: member.key.range)
        let read = variable(member.value, name: name, after: variables, hasError)
        let variable = read ?? VariableDeclaration(name: name, type: .string, defaultValue: nil, description: nil)
        variables.declare(variable, isTyped: read != nil)
        file.variables.append(variable)
      }
    }
    return FileScope(variables: variables, secrets: Set(file.secrets.map(\.value)), hasInvalidNames: hasError)
  }

  /// Reads a variable.
  ///
  /// - Parameters:
  ///   - others: the variables before it, from which it may be computed
  ///   - hasInvalidNames: whether some of them have errors
  private mutating func variable(
    _ node: YAMLNode, name: Located<String>, after others: DeclaredVariables, _ hasInvalidNames: Bool
  ) -> VariableDeclaration? {
    var variable = VariableDeclaration(name: name, type: .string, defaultValue: nil, description: nil)
    if node.isScalar {
      let value = FieldValue(
        spec: VariableKeys.defaultValue, node: node, key: name.range, part: name.range, scope: .nothing)
      guard let text = text(value) else { return nil }
      warn(ofForeignTemplateIn: text, value, variable: name.value)
      variable.defaultValue = try? VariableValue(reading: text, as: .string)
      return variable
    }
    let scope = Scope(file: FileScope(variables: others, hasInvalidNames: hasInvalidNames))
    guard let nodes = open(node, as: VariableKeys.construct, owner: name.range, scope: scope) else { return nil }
    variable.description = read(VariableKeys.description, of: nodes)
    if let type = nodes.value(VariableKeys.type), !type.node.isNull {
      guard let type = read(VariableKeys.type, of: nodes) else { return nil }
      variable.type = type
    }
    guard nodes.key(VariableKeys.type) != nil || nodes.isLeftOut(VariableKeys.type) else { return nil }
    variable.computed = read(VariableKeys.value, of: nodes)
    variable.condition = nodes.value(VariableKeys.condition).flatMap { condition($0, on: variable.type) }
    guard let value = nodes.value(VariableKeys.defaultValue) else { return variable }
    let range = value.node.range
    guard let text = variable.type == .list ? listText(value) : text(value) else { return variable }
    warn(ofForeignTemplateIn: text, value, variable: name.value)
    do throws(ValueError) {
      let value = try VariableValue(reading: text, as: variable.type)
      variable.defaultValue = value
      if let problem = variable.problem(with: value) {
        report(
          .variableDefault, "'\(printable(text))' \(problem)", at: range, help: "correct the default or the condition")
      }
    } catch {
      let detail = error.detail.map { ": \($0)" } ?? ""
      report(
        .variableDefault, "'\(printable(text))' is not \(error.expected)\(detail)", at: value.node.range,
        suggestion: error.suggestion, help: "variable '\(name.value)' has type '\(variable.type.rawValue)'")
    }
    return variable
  }

  /// Warns about a template of another program in the default of a variable. Defaults cannot contain templates.
  private mutating func warn(ofForeignTemplateIn text: String, _ value: FieldValue, variable: String) {
    let roots: Set = ["vars", "secrets", "env", "config"]
    guard let found = ForeignTemplate.first(in: text, roots: roots, isLine: true) else { return }
    let written = printable(String(decoding: Array(text.utf8)[found.offsets], as: UTF8.self))
    diagnostics.report(
      Diagnostic(
        .warning, FlowCode.foreignTemplate.code,
        "'\(written)' is read as plain text: a default cannot contain templates",
        at: location(of: found.offsets, in: value.node),
        help: "set another value with --var \(variable)=VALUE or REACTOR_VAR_\(variable); "
          + "to compute it from other variables, use 'value'"))
  }

  /// Reads the condition on a variable's value.
  private mutating func condition(_ value: FieldValue, on type: VariableType) -> Located<Expression>? {
    let scope = Scope.nothing.with([ExpressionType.Member("value", type.expressionType)])
    let inScope = FieldValue(spec: value.spec, node: value.node, key: value.key, part: value.part, scope: scope)
    guard let condition = expression(inScope, of: .bool) else { return nil }
    guard !condition.value.usesClock else {
      return fail(
        .expressionName, "a condition on a value cannot use the time: '\(printable(condition.value.text))'",
        at: condition.range, help: "compare the value with constants")
    }
    return condition
  }

  /// Reads the default of a list variable: a YAML list, or a text of elements with commas between them.
  private mutating func listText(_ value: FieldValue) -> String? {
    guard value.node.isSequence else { return text(value) }
    var texts: [String] = []
    for element in elements(of: value) ?? [] {
      guard let text = text(element) else { return nil }
      guard !text.contains(",") else {
        return fail(
          .variableDefault, "'\(printable(text))' contains a comma, which separates elements", at: element.node.range,
          help: "remove the comma: in --var and in environment variables a comma separates the elements of a list")
      }
      texts.append(text)
    }
    return texts.joined(separator: ",")
  }

  mutating func variableType(_ value: FieldValue) -> VariableType? {
    guard let text = text(value) else { return nil }
    if let type = VariableType(rawValue: text) { return type }
    let words = VariableType.allCases.map(\.rawValue)
    return fail(
      .unknownType, "'\(printable(text))' is not a type of variables", at: value.node.range,
      suggestion: suggestedType(text, among: words), help: "types are \(listed(words))")
  }

  private mutating func defaults(_ value: FieldValue?) -> FlowDefaults {
    var defaults = FlowDefaults()
    guard let value, !value.node.isNull, let nodes = open(value, as: .defaults) else { return defaults }
    fill(&defaults, with: DefaultsKeys.stored, from: nodes)
    if let expect = nodes.value(DefaultsKeys.expect), !expect.node.isNull,
      let nodes = open(expect, as: .defaultExpect)
    {
      fill(&defaults, with: DefaultExpectKeys.stored, from: nodes)
    }
    guard let persistence = nodes.value(DefaultsKeys.persistence), !persistence.node.isNull else { return defaults }
    let misplaced = "'defaults' cannot name a file or table, because each flow needs its own"
    if persistence.node.isScalar {
      report(.misplacedKey, misplaced, at: persistence.node.range, help: "give each flow its own 'persistence'")
      return defaults
    }
    var node = persistence.node
    let own = [PersistenceKeys.path.name, PersistenceKeys.table.name]
    if case .mapping(let mapping) = node.content, let entry = mapping.entries.first(where: { own.contains($0.name) }) {
      report(.misplacedKey, misplaced, at: entry.key.range, help: "give each flow its own 'persistence.\(entry.name)'")
      node = YAMLNode(.mapping(YAMLMapping(mapping.entries.filter { !own.contains($0.name) })), at: node.range)
    }
    guard let nodes = open(node, as: DefaultPersistenceKeys.construct, owner: persistence.key, scope: persistence.scope)
    else {
      return defaults
    }
    fill(&defaults, with: DefaultPersistenceKeys.stored, from: nodes)
    return defaults
  }
}
