internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// The keys of `described`.
enum DescribedKeys {
  static let construct = Construct(
    .described, noun: "'described'", "More fields of a schema, described by a file that has one item for each field.",
    details: """
      The file is beside the flow file, or below its folder; a flow can write it, for example from a response that \
      describes an object. Commit it, so that every machine has the same schema. A run uses the file as it is at the \
      start, and reports at its end which fields were added or removed. Described fields are optional. If `fields` has \
      the same field, the declaration in `fields` is used. Without the file, a flow with this schema does not run, and \
      a warning is reported.
      """,
    fields: [file, name, type, types, otherwise, inside],
    frame: .flow(
      "resource: /customers\nschema:\n  fields: { id: integer }\n  described:\n    ◆", supplies: ["file: fields.json"]))

  static let file = Field(
    "file", .filledLine, default: .required, "The file with the descriptions: a JSON array, or JSON Lines.",
    details: "Variables can be part of the path, also those of `for`.", secrets: .refused, edit: .whereUsed,
    examples: ["file: fields.jsonl", "file: \"fields/{{ vars.region }}.json\""],
    mistakes: [
      "file: ↓fields.yaml": .generatedFlow, "file: ↓../fields.json": .generatedFlow, "file: ↓\"\"": .missingValue,
    ])

  static let name = Field(
    "name", .jsonPath, default: "$.name", "The path of a field's name in its description.", edit: .whereUsed,
    examples: ["name: $.apiName"], mistakes: ["name: ↓apiName": .invalidPath])

  static let type = Field(
    "type", .jsonPath, default: "$.type", "The path of a field's type name in its description.",
    edit: .whereUsed, examples: ["type: $.dataType"], mistakes: ["type: ↓dataType": .invalidPath])

  static let types = Field(
    "cases", .whole(.map(.choice, .choice(plain))), default: "names of this language, and usual names such as `int`",
    "The server's type names, each with the type that it means here.", edit: .whereUsed,
    examples: ["cases: { picklist: string, currency: decimal }"],
    mistakes: [
      "cases: { picklist: ↓txt }": .unknownType, "cases: { a: ↓list }": .unknownType, "cases: ↓[a]": .wrongKind,
    ])

  static let otherwise = Field(
    "else", .choice(plain), default: "an error that lists the unknown types",
    "The type for all other type names of the server.", edit: .whereUsed,
    examples: ["else: json"], mistakes: ["else: ↓any": .unknownValue])

  static let inside = Field(
    "from", .memberPath(example: "$.properties"), default: "the record itself",
    "The object in a record whose members are the described fields.", edit: .whereUsed,
    examples: ["from: $.properties"],
    mistakes: ["from: ↓properties": .invalidPath, "from: ↓$.properties[0]": .invalidPath])

  /// The types that need no options.
  static let plain = FieldTypeName.allCases.filter(\.isComplete).map(\.rawValue)
}

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
      let items = itemRecords(path, at: place, without: "flows with this schema do not run")
    else { return nil }
    var fields: [RawSchema.Field] = []
    var names: Set<String> = []
    var unknown: [String] = []
    for (index, item) in items.enumerated() {
      guard let word = (name.value?.value ?? Self.member("name")).firstText(in: item),
        let typeWord = (type.value?.value ?? Self.member("type")).firstText(in: item),
        NameRole.field.admits(word)
      else {
        return fail(
          .generatedFlow, "item \(index + 1) of '\(printable(path))' does not have both a field name and a type",
          at: place, help: "correct 'name' and 'type', or the file")
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
        at: place, help: "give each of them a type in 'cases', or write one type for all in 'else'")
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

  /// The types of the key `cases`, by the server's type names.
  private mutating func describedTypes(_ nodes: FieldNodes) -> [String: FieldTypeName] {
    guard let value = nodes.value(DescribedKeys.types), let members = members(of: value, role: .choice) else {
      return [:]
    }
    var types: [String: FieldTypeName] = [:]
    for member in members {
      guard let word = text(value.part(member.value)) else { continue }
      guard let type = FieldTypeName(rawValue: word), type.isComplete else {
        report(
          .unknownType, "'\(printable(word))' is not one of the types that need no options", at: member.value.range,
          suggestion: suggestedType(word, among: DescribedKeys.plain), help: "types are \(listed(DescribedKeys.plain))")
        continue
      }
      types[member.name] = type
    }
    return types
  }

  /// The type that a usual type name means; nil for other names.
  private static func type(of word: String) -> FieldTypeName? {
    let type = FieldTypeName(rawValue: word) ?? FieldTypeName(foreign: word)
    return type.flatMap { $0.isComplete ? $0 : nil }
  }

  private static func member(_ name: String) -> JSONPath { JSONPath(singular: [.name(name)]) }
}

extension JSONPath {
  /// The first value that the path selects in an item, which describes a field; nil if it is not a text.
  fileprivate func firstText(in item: JSONValue) -> String? { ((try? values(in: item)) ?? []).first?.string }
}
