import FieldTypes
import FlowModel
import SourceDiagnostics

/// One item of a `for`, with the variables that it gives to its flow.
struct FlowItem {
  /// The variables, at least one, in the order written.
  var variables: [VariableDeclaration]

  /// The item in words: `vars.object = contacts`.
  var words: String {
    variables.map { "vars.\($0.name.value) = \($0.defaultValue?.text ?? "")" }.joined(separator: ", ")
  }
}

extension FileDeclaration {
  /// A copy of the declarations with the variables of the item, for the flow that the item generates.
  func generating(_ item: FlowItem) -> FileDeclaration {
    var file = self
    file.variables += item.variables
    file.item = item.words
    return file
  }
}

extension FileScope {
  /// The names of the file, to which the variables of an item are added.
  func with(_ item: FlowItem) -> FileScope {
    var variables = variables
    for variable in item.variables { variables.declare(variable) }
    return FileScope(
      variables: variables, secrets: secrets, hasInvalidNames: hasInvalidNames, schemas: schemas, stores: stores)
  }
}

extension LoadedFlows {
  /// The flows and described fields that only the other load contains, as texts: ids, and names with types.
  package func additions(in other: LoadedFlows) -> [String] {
    let known = Dictionary(
      flows.map { ($0.id, Set($0.schema?.describedFields ?? [])) }, uniquingKeysWith: { first, _ in first })
    return other.flows.flatMap { flow in
      guard let fields = known[flow.id] else { return [flow.id] }
      return (flow.schema?.describedFields ?? []).filter { !fields.contains($0) }.map { "\(flow.id).\($0)" }
    }
  }
}

extension SchemaDeclaration {
  /// The schema's fields as `name: type`; empty unless a file describes some of them.
  fileprivate var describedFields: [String] { isDescribed ? fields.map { "\($0.name): \($0.type.name)" } : [] }
}

/// Makes the name of the flow for an item.
enum GeneratedName {
  /// The flow's name in the file, followed by a value: `records_order_lines` for `records` and `Order Lines`.
  static func name(_ written: String, _ value: String) -> String {
    let word = String(
      decoding: value.lowercased().utf8.prefix(100).map { ASCII.isNameCharacter($0) ? $0 : UInt8(ascii: "_") },
      as: UTF8.self)
    return "\(written)_\(word)"
  }
}
