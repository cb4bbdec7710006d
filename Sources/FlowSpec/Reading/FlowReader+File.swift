import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What a flow file holds; what is faulty is left out.
  struct FileReading: Sendable {
    var declaration: FileDeclaration
    var flows: [FlowDeclaration]
    /// Every flow's name, also of those that are faulty.
    var names: [Located<String>]
    /// Whether variables or secrets were left out, or their types, because their declaration is faulty.
    var hasFaultyNames = false
    /// Whether names of flows were left out because they are faulty.
    var mayHaveMoreFlows = false
  }

  /// Reads a flow file.
  mutating func flowFile(_ root: YAMLNode, outer: SchemaSet) -> FileReading {
    let top = SourceRange(file: file, offsets: root.range.offsets.lowerBound..<root.range.offsets.lowerBound)
    let declaration = FileDeclaration(
      path: file.path, stem: PathText.stem(of: file.path), description: nil, variables: [], secrets: [])
    var reading = FileReading(declaration: declaration, flows: [], names: [])
    guard let fields = open(root, as: .file, owner: top), version(fields.value("reactor")) else { return reading }
    reading.declaration.description = fields.value("description").flatMap { freeText($0) }
    reading.declaration.variables = variables(fields.value("vars"))
    reading.declaration.secrets = secretNames(fields.value("secrets"))
    for key in ["vars", "secrets"] where fields.key(key) == nil && !fields.isLeftOut(key) { hasFaultyNames = true }
    reading.hasFaultyNames = hasFaultyNames || !untypedVariables.isEmpty
    var http = self.http(fields.value("http"))
    if fields.key("http") == nil, !fields.isLeftOut("http") {
      (http.hasFaultyBaseURL, http.hasFaultyAuth) = (true, true)
    }
    let defaults = self.defaults(fields.value("defaults"))
    var resolver = SchemaResolver(schemas(fields), outer: outer, file: file)
    var set = resolver.resolveAll()
    set.mayHaveMore = mayHaveMoreSchemas
    diagnostics.merge(resolver.diagnostics)
    guard let flows = fields.value("flows") else {
      reading.mayHaveMoreFlows = !fields.isLeftOut("flows")
      if fields.key("schemas") == nil, !fields.isFaulty {
        report(
          .missingKey, "the file has no flows", at: top, help: "add, for example, 'flows: { customers: { … } }'")
      }
      return reading
    }
    let context = FileContext(file: reading.declaration, http: http, defaults: defaults, schemas: set)
    let members = self.members(of: flows, role: .flow) ?? []
    reading.mayHaveMoreFlows = members.count < Self.count(of: flows.node)
    reading.names = members.map { Located($0.name, at: $0.key.range) }
    reading.flows.reserveCapacity(members.count)
    var computedFaults: [Diagnostic] = []
    for (flows, reader) in self.flows(members, in: context) {
      reading.flows += flows
      diagnostics.merge(reader.diagnostics)
      flowsWithoutBase += reader.flowsWithoutBase
      computedFaults += reader.computedFaults.diagnostics
    }
    if !fields.isWritten("base_url") { reportMissingBase() }
    // A field is wrong once, however many flows use its schema; the first of them is blamed.
    var seen: Set<[Diagnostic.Note]> = []
    for fault in computedFaults where seen.insert(fault.notes + [Diagnostic.Note(fault.message)]).inserted {
      diagnostics.report(fault)
    }
    return reading
  }

  /// A file without a base URL has one mistake, not one for each flow.
  private mutating func reportMissingBase() {
    guard let first = flowsWithoutBase.first else { return }
    let more = flowsWithoutBase.count - 1
    report(
      .missingBaseURL,
      "flow '\(first.value)' has no base URL"
        + (more > 0 ? ", and neither \(more == 1 ? "has" : "have") \(more) more" : ""),
      at: first.range, help: "add 'http: { base_url: https://… }' to the file or to the flow")
  }

  /// Reads flows beside each other where they are many: none needs to know of another.
  private func flows(
    _ members: [YAMLMapping.Entry], in context: FileContext
  ) -> [(flows: [FlowDeclaration], reader: FlowReader)] {
    let reader = self
    return members.concurrentStretches(least: 64) { members in
      var reader = reader
      reader.diagnostics = DiagnosticBag()
      let flows = members.compactMap { reader.flow($0.value, name: $0.name, at: $0.key.range, in: context) }
      return (flows, reader)
    }
  }

  /// Reads a schema file: its schemas, references still open.
  mutating func schemaFile(_ root: YAMLNode) -> [RawSchema] {
    let top = SourceRange(file: file, offsets: root.range.offsets.lowerBound..<root.range.offsets.lowerBound)
    guard let fields = open(root, as: .schemaFile, owner: top), version(fields.value("reactor")) else { return [] }
    _ = fields.value("description").flatMap { freeText($0) }
    return schemas(fields)
  }

  /// Whether the file is written in a version of the format that is understood. Another one is the file's only error:
  /// its keys may mean anything.
  private mutating func version(_ value: FieldValue?) -> Bool {
    guard let value else { return true }
    guard !value.node.isNull else { return true }
    if case .scalar(let scalar) = value.node.content, scalar.text == "1" { return true }
    diagnostics = DiagnosticBag()
    let written = if case .scalar(let scalar) = value.node.content { "'\(printable(scalar.text))'" } else { "this" }
    report(
      .unsupportedVersion, "\(written) is not a version of the format that is understood here", at: value.node.range,
      help: "this program reads version 1")
    return false
  }

  private mutating func secretNames(_ value: FieldValue?) -> [Located<String>] {
    guard let value else { return [] }
    let errors = diagnostics.diagnostics.count
    let names = elements(of: value).map { self.names($0, role: .secret) } ?? []
    secrets = Set(names.map(\.value))
    if diagnostics.diagnostics.count > errors { hasFaultyNames = true }
    return names
  }

  private mutating func variables(_ value: FieldValue?) -> [VariableDeclaration] {
    guard let value else { return [] }
    guard let members = members(of: value, role: .variable) else {
      hasFaultyNames = true
      return []
    }
    if case .mapping(let mapping) = value.node.content, mapping.entries.count > members.count { hasFaultyNames = true }
    var declared: [VariableDeclaration] = []
    for member in members {
      let name = Located(member.name, at: member.key.range)
      let read = variable(member.value, name: name)
      if read == nil { untypedVariables.insert(member.name) }
      let variable = read ?? VariableDeclaration(name: name, type: .string, defaultValue: nil, description: nil)
      variables[member.name] = variable
      declared.append(variable)
    }
    return declared
  }

  private mutating func variable(_ node: YAMLNode, name: Located<String>) -> VariableDeclaration? {
    guard let spec = Construct.variable["default"] else { return nil }
    var variable = VariableDeclaration(name: name, type: .string, defaultValue: nil, description: nil)
    if node.isScalar {
      guard let text = text(FieldValue(spec: spec, node: node, key: name.range, part: name.range)) else { return nil }
      variable.defaultValue = try? VariableValue(reading: text, as: .string)
      return variable
    }
    guard let fields = open(node, as: .variable, owner: name.range) else { return nil }
    variable.description = fields.value("description").flatMap { freeText($0) }
    if let type = fields.value("type"), !type.node.isNull {
      guard let type = variableType(type) else { return nil }
      variable.type = type
    }
    guard fields.key("type") != nil || fields.isLeftOut("type") else { return nil }
    guard let value = fields.value("default") else { return variable }
    guard let text = variable.type == .list ? listText(value) : text(value) else { return variable }
    do throws(ValueError) {
      variable.defaultValue = try VariableValue(reading: text, as: variable.type)
    } catch {
      let detail = error.detail.map { ": \($0)" } ?? ""
      report(
        .variableDefault, "'\(printable(text))' is not \(error.expected)\(detail)", at: value.node.range,
        meant: error.suggestion, help: "variable '\(name.value)' has type '\(variable.type.rawValue)'")
    }
    return variable
  }

  /// A list as written, or texts between commas, as they come from outside.
  private mutating func listText(_ value: FieldValue) -> String? {
    guard value.node.isSequence else { return text(value) }
    var texts: [String] = []
    for element in elements(of: value) ?? [] {
      guard let text = text(element) else { return nil }
      guard !text.contains(",") else {
        report(
          .variableDefault, "'\(printable(text))' holds a comma, which would end it", at: element.node.range,
          help: "elements of a list variable hold no commas, because that is how they come from outside")
        return nil
      }
      texts.append(text)
    }
    return texts.joined(separator: ",")
  }

  private mutating func variableType(_ value: FieldValue) -> VariableType? {
    guard let text = text(value) else { return nil }
    if let type = VariableType(rawValue: text) { return type }
    let words = VariableType.allCases.map(\.rawValue)
    report(
      .unknownType, "'\(printable(text))' is not a type of variables", at: value.node.range,
      meant: meantType(text, among: words), help: "types are \(listed(words))")
    return nil
  }

  private mutating func defaults(_ value: FieldValue?) -> FlowDefaults {
    var defaults = FlowDefaults()
    guard let value, !value.node.isNull, let fields = open(value.node, as: .defaults, owner: value.key) else {
      return defaults
    }
    defaults.tags = fields.value("tags").flatMap { tags($0) }
    defaults.prune = boolean(fields.value("prune"))
    defaults.reachability = boolean(fields.value("reachability"))
    defaults.wait = boolean(fields.value("wait"))
    defaults.retry = retry(fields.value("retry"))
    defaults.errors = errorRules(fields.value("errors"))
    guard let persistence = fields.value("persistence"), !persistence.node.isNull else { return defaults }
    let misplaced = "an output path holds for one flow only"
    if persistence.node.isScalar {
      report(.misplacedKey, misplaced, at: persistence.node.range, help: "give each flow its own 'persistence'")
      return defaults
    }
    var node = persistence.node
    if case .mapping(let mapping) = node.content, let path = mapping.entries.first(where: { $0.name == "path" }) {
      report(.misplacedKey, misplaced, at: path.key.range, help: "give each flow its own 'persistence.path'")
      node = YAMLNode(.mapping(YAMLMapping(mapping.entries.filter { $0.name != "path" })), at: node.range)
    }
    guard let kept = open(node, as: .defaultPersistence, owner: persistence.key) else { return defaults }
    defaults.expiresAfter = duration(kept.value("expires_after"))
    defaults.failOnSaveError = boolean(kept.value("fail_on_save_error"))
    return defaults
  }
}
