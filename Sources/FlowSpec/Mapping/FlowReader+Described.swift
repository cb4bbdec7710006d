import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the fields that a file describes; nil if there is no file, or after an error was reported.
  ///
  /// - Parameter known: the names of the fields that are written in the schema
  mutating func described(_ value: FieldValue, except known: Set<String>) -> [RawSchema.Field]? {
    guard let nodes = open(value, as: .described) else { return nil }
    let errors = errorCount
    let name = reading(DescribedKeys.name, of: nodes)
    let type = reading(DescribedKeys.type, of: nodes)
    let types = describedTypes(nodes)
    let otherwise = read(DescribedKeys.otherwise, of: nodes).flatMap { FieldTypeName(rawValue: $0) }
    let inside = read(DescribedKeys.inside, of: nodes) ?? []
    guard let path = describedFile(nodes), errorCount == errors, !nodes.hasError, !name.isBroken, !type.isBroken,
      let place = nodes.value(DescribedKeys.file)?.node.range,
      let items = itemRecords(path, at: place, without: "flows of this schema do not run")
    else { return nil }
    var fields: [RawSchema.Field] = []
    var names: Set<String> = []
    var unknown: [String] = []
    for (index, item) in items.enumerated() {
      guard let word = (name.value?.value ?? Self.member("name")).values(in: item).first?.string,
        let typeWord = (type.value?.value ?? Self.member("type")).values(in: item).first?.string,
        NameRole.field.admits(word)
      else {
        return fail(
          .generatedFlow, "item \(index + 1) of '\(printable(path))' has no name and type of a field", at: place,
          help: "correct 'name' and 'type', or the file")
      }
      guard names.insert(word).inserted else {
        return fail(
          .generatedFlow, "'\(printable(path))' describes the field '\(printable(word))' twice", at: place,
          help: "correct the file")
      }
      if known.contains(word) { continue }
      guard let named = types[typeWord] ?? Self.type(of: typeWord) ?? otherwise, let plain = TypeDeclaration(named)
      else {
        if !unknown.contains(typeWord) { unknown.append(typeWord) }
        continue
      }
      fields.append(
        RawSchema.Field(
          name: word, range: value.key, description: nil,
          from: Located(JSONPath(singular: inside + [.name(word)]), at: value.key), type: .plain(plain),
          isOptional: true))
    }
    guard unknown.isEmpty else {
      return fail(
        .generatedFlow, "'\(printable(path))' has unknown types: \(listed(unknown.map { printable($0) }, atMost: 8))",
        at: place, help: "give each a type in 'types', or all others one in 'else'")
    }
    return fields
  }

  /// The path of the file with its variables filled in.
  private mutating func describedFile(_ nodes: FieldNodes) -> String? {
    guard let template = read(DescribedKeys.file, of: nodes), let value = nodes.value(DescribedKeys.file) else {
      return nil
    }
    do throws(ResolutionError) {
      let text = try template.value.resolve(with: resolutionScope(nodes.scope.file)).text
      return itemPath(text, at: value.node.range)
    } catch {
      diagnostics.report(error.diagnostic)
      return nil
    }
  }

  /// The types by the server's names.
  private mutating func describedTypes(_ nodes: FieldNodes) -> [String: FieldTypeName] {
    guard let value = nodes.value(DescribedKeys.types), let members = members(of: value, role: .choice) else {
      return [:]
    }
    var types: [String: FieldTypeName] = [:]
    for member in members {
      guard let word = text(value.part(member.value)) else { continue }
      guard let type = FieldTypeName(rawValue: word), type.isComplete else {
        report(
          .unknownType, "'\(printable(word))' is not a type without options", at: member.value.range,
          suggestion: suggestedType(word, among: DescribedKeys.plain), help: "types are \(listed(DescribedKeys.plain))")
        continue
      }
      types[member.name] = type
    }
    return types
  }

  /// The type of a usual name; nil for other names.
  private static func type(of word: String) -> FieldTypeName? {
    let type = FieldTypeName(rawValue: word) ?? FieldTypeName(foreign: word)
    return type.flatMap { $0.isComplete ? $0 : nil }
  }

  private static func member(_ name: String) -> JSONPath { JSONPath(singular: [.name(name)]) }
}
