import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The flows that a `for` generates, without those that have an error.
  struct GeneratedFlows {
    var flows: [FlowDeclaration] = []
    /// The names of all flows, including flows with errors.
    var names: [Located<String>] = []
    /// Whether some names of flows are unknown because of errors.
    var mayHaveMore = false
  }

  /// Reads a flow once for each item of its `for`; a flow without `for` is read once.
  mutating func flows(_ entry: YAMLMapping.Entry, in context: FileContext) -> GeneratedFlows {
    var generated = GeneratedFlows()
    guard case .mapping(let mapping) = entry.value.content,
      let node = mapping.entries.first(where: { $0.name == FlowKeys.items.name })
    else {
      generated.names = [Located(entry.name, at: entry.key.range)]
      if let flow = flow(entry.value, name: entry.name, at: entry.key.range, in: context) { generated.flows = [flow] }
      return generated
    }
    let value = FieldValue(spec: FlowKeys.items, node: node.value, key: node.key.range, scope: context.scope)
    guard let declared = items(value, written: entry.name) else {
      generated.mayHaveMore = true
      return generated
    }
    var seen: [String: String] = [:]
    for item in declared.items {
      var context = context
      context.file = context.file.generating(item)
      context.scope = Scope(file: context.scope.file.with(item))
      guard let name = name(of: item, declared, entry.name, context) else {
        generated.mayHaveMore = true
        continue
      }
      if let first = seen.updateValue(item.words, forKey: name) {
        report(
          .generatedFlow,
          "the items '\(printable(first))' and '\(printable(item.words))' give two flows with the name '\(name)'",
          at: declared.name?.range ?? node.key.range, help: "write a 'name' that differs for each item")
        return generated
      }
      generated.names.append(Located(name, at: entry.key.range))
      if let flow = flow(entry.value, name: name, at: entry.key.range, in: context) { generated.flows.append(flow) }
    }
    return generated
  }

  /// The items of a `for`, and how the flows are named.
  private struct Items {
    var items: [FlowItem]
    /// The template of the flows' names, if declared.
    var name: Located<Template>?
  }

  /// The maximum number of flows that one `for` generates.
  private static let maximumItems = 10_000

  private mutating func items(_ value: FieldValue, written: String) -> Items? {
    guard let nodes = open(value, as: .flowFor) else { return nil }
    let errors = errorCount
    let values = nodes.value(ForKeys.values)
    let file = nodes.value(ForKeys.file)
    guard (values == nil) != (file == nil) else {
      if nodes.hasError { return nil }
      return fail(
        .generatedFlow, values == nil ? "'for' has no items" : "'for' has two lists of items",
        at: values == nil ? value.key : file?.key, help: "give either 'values' or a 'file'")
    }
    let items: [FlowItem]?
    if let values {
      items = self.items(values, nodes)
    } else {
      items = file.flatMap { self.items(ofFile: $0, nodes) }
    }
    guard var items, errorCount == errors else { return nil }
    if items.count > Self.maximumItems {
      report(
        .generatedFlow, "'for' has \(items.count) items, and at most \(Self.maximumItems) are allowed", at: value.key,
        help: "use the items as the parents of one flow with 'each'")
      items = []
    } else if !budget.takeFlows(items.count) {
      report(
        .generatedFlow, "'for' gives more than \(LoadBudget.flows) flows in all files together", at: value.key,
        help: "use the items as the parents of one flow with 'each'")
      items = []
    }
    guard let first = items.first, let template = nodes.value(ForKeys.name) else { return Items(items: items) }
    let scope = Scope(file: value.scope.file.with(first))
    guard let name = read(ForKeys.name, of: nodes, in: scope) else { return nil }
    if items.count > 1, name.value.constantText != nil {
      return fail(
        .generatedFlow, "'name' is the same for each item", at: template.node.range,
        help: "use a variable of the item in 'name', such as '{{ vars.\(first.variables[0].name.value) }}'")
    }
    return Items(items: items, name: name)
  }

  /// Reads a list of values. Each item has one variable with one of these values.
  private mutating func items(_ value: FieldValue, _ nodes: FieldNodes) -> [FlowItem]? {
    guard nodes.key(ForKeys.variables) == nil else {
      return fail(
        .generatedFlow, "'vars' can be used only with 'file'", at: nodes.key(ForKeys.variables),
        help: "name the variable that gets each value with 'as'")
    }
    guard nodes.key(ForKeys.variable) != nil else {
      if nodes.hasError { return nil }
      return fail(
        .generatedFlow, "'for' does not name the variable that gets each of its 'values'", at: value.key,
        help: "add 'as: object'")
    }
    guard let name = read(ForKeys.variable, of: nodes), isNew(name, value.scope),
      let source = valueSource(value)
    else { return nil }
    let values: [JSONValue]
    switch source {
    case .values(let written): values = written
    case .expression(let expression, _):
      let scope = resolutionScope(value.scope.file)
      do throws(ResolutionError) {
        values = try ValueList.values(of: expression, key: "values", in: scope)
      } catch {
        diagnostics.report(error.diagnostic)
        return nil
      }
    case .flow, .file, .rows, .union, .replacement: return nil
    }
    return items([(name, values)])
  }

  /// Reads the items of a file. A file that does not exist has none, and is reported.
  private mutating func items(ofFile value: FieldValue, _ nodes: FieldNodes) -> [FlowItem]? {
    guard nodes.key(ForKeys.variable) == nil else {
      return fail(
        .generatedFlow, "'as' can be used only with 'values'", at: nodes.key(ForKeys.variable),
        help: "name the variables in 'vars', each with its path in an item")
    }
    guard let declared = nodes.value(ForKeys.variables) else {
      if nodes.hasError { return nil }
      return fail(
        .generatedFlow, "'for' does not say which variables get values from the items of its 'file'", at: value.key,
        help: "add 'vars: { object: $.name }'")
    }
    guard let path = itemPath(value), let members = members(of: declared, role: .variable) else { return nil }
    guard !members.isEmpty else {
      return fail(
        .missingValue, "'vars' names no variable", at: declared.node.range,
        help: "write, for example, { object: $.name }")
    }
    var paths: [(name: Located<String>, path: Located<JSONPath>)] = []
    for member in members {
      let name = Located(member.name, at: member.key.range)
      guard isNew(name, value.scope), let path = jsonPath(declared.part(member.value)) else { return nil }
      guard path.value.singularSteps != nil else {
        return fail(
          .invalidPath, "'\(printable(path.value.text))' may find several values, and a variable has one",
          at: path.range,
          help: "write a path of names and indices, such as $.name")
      }
      paths.append((name, path))
    }
    let errors = errorCount
    guard let records = itemRecords(path, at: value.node.range, without: "no flows are generated from it") else {
      return errorCount == errors ? [] : nil
    }
    var columns: [(name: Located<String>, values: [JSONValue])] = []
    for (name, path) in paths {
      var values: [JSONValue] = []
      for (index, record) in records.enumerated() {
        guard let found = ((try? path.value.values(in: record)) ?? []).first, found.isFlowItem else {
          return fail(
            .generatedFlow,
            "item \(index + 1) of \(printable(PathText.name(of: value.word ?? ""))) has no text, number or boolean at "
              + printable(path.value.text), at: path.range, help: "correct the path or the file")
        }
        values.append(found)
      }
      columns.append((name, values))
    }
    return items(columns)
  }

  /// Makes items from the values of each variable. The type of a variable fits all of its values.
  private mutating func items(_ columns: [(name: Located<String>, values: [JSONValue])]) -> [FlowItem]? {
    var items = Array(repeating: FlowItem(variables: []), count: columns.first?.values.count ?? 0)
    for (name, values) in columns {
      let type = VariableType(of: values)
      for (index, value) in values.enumerated() {
        var variable = VariableDeclaration(name: name, type: type, defaultValue: nil, description: nil)
        variable.isItem = true
        do throws(ValueError) {
          variable.defaultValue = try VariableValue(reading: value.itemText, as: type)
        } catch {
          return fail(
            .generatedFlow, "'\(printable(value.itemText))' is not \(error.expected)", at: name.range,
            help: error.detail)
        }
        items[index].variables.append(variable)
      }
    }
    return items
  }

  /// Checks that the file does not declare a variable of this name.
  private mutating func isNew(_ name: Located<String>, _ scope: Scope) -> Bool {
    guard let declared = scope.file.variables[name.value] else { return true }
    report(
      .generatedFlow, "the file already declares a variable '\(name.value)'", at: name.range,
      notes: [Diagnostic.Note("the variable is declared here", at: declared.name.range)], help: "choose another name")
    return false
  }

  /// The name of the flow for an item; nil after an error was reported.
  private mutating func name(
    of item: FlowItem, _ declared: Items, _ written: String, _ context: FileContext
  ) -> String? {
    guard let template = declared.name else {
      return GeneratedName.name(written, item.variables[0].defaultValue?.text ?? "")
    }
    do throws(ResolutionError) {
      let text = try template.value.resolve(with: resolutionScope(context.scope.file)).text
      guard NameRole.flow.admits(text) else {
        return fail(
          .invalidName, "'\(printable(text))' cannot be the name of a flow", at: template.range,
          help: "a flow name is \(NameRole.flow.rule)")
      }
      return text
    } catch {
      diagnostics.report(error.diagnostic)
      return nil
    }
  }

  /// The values of the file's variables, given from outside or by default.
  func resolutionScope(_ names: FileScope) -> ResolutionScope {
    let file = FileDeclaration(
      path: file.path, stem: stem, description: nil, variables: names.variables.asWritten, secrets: [])
    // Errors in given values are reported when the flows are compiled.
    var ignored = DiagnosticBag()
    var scope = file.scope(
      overrides: overrides, secrets: [:], environment: overrides.environment, diagnostics: &ignored)
    scope.compute(file.variables, diagnostics: &ignored)
    return scope
  }
}

extension JSONValue {
  /// Whether a variable of a generated flow can have this value: a text, a number or a boolean.
  fileprivate var isFlowItem: Bool {
    switch self {
    case .string, .number, .bool: true
    case .null, .array, .object: false
    }
  }

  /// The value as the text of a variable.
  fileprivate var itemText: String { string ?? String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}

extension VariableType {
  /// The narrowest type that allows all of these values of a variable.
  fileprivate init(of values: [JSONValue]) {
    if values.isEmpty || values.contains(where: { $0.string != nil }) {
      self = .string
    } else if values.allSatisfy({ $0.int64 != nil }) {
      self = .integer
    } else if values.allSatisfy({ $0.bool != nil }) {
      self = .boolean
    } else {
      self = values.contains { $0.bool != nil } ? .string : .number
    }
  }
}
