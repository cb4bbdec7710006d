internal import FieldTypes
import JSONSyntax

/// The JSON Schemas (draft 7) of flow files and schema files, for editors.
///
/// Editors use them for completion, hover text and simple checks. `reactor check` is stricter, because it also checks
/// names, templates and paths.
package enum EditorSchema {
  /// The schema of flow files, as JSON text that ends with a line break.
  package static var flowFile: String { document(.file, title: "reactor flow file") }

  /// The schema of schema files, as JSON text that ends with a line break.
  package static var schemaFile: String { document(.schemaFile, title: "reactor schema file") }

  private static func document(_ root: ConstructName, title: String) -> String {
    var document: JSONObject = JSONObject([
      .init(name: "$schema", value: "http://json-schema.org/draft-07/schema#"),
      .init(name: "title", value: .string(title)),
    ])
    for member in object(of: root.construct).members { document[member.name] = member.value }
    document["definitions"] = .object(
      JSONObject(
        reachable(from: root).filter { $0 != root }.map { .init(name: $0.rawValue, value: schema(of: $0.construct)) }))
    return String(decoding: JSONWriter.bytes(.object(document), style: .pretty), as: UTF8.self) + "\n"
  }

  /// The constructs that a kind of file can contain, in the order of the language.
  private static func reachable(from root: ConstructName) -> [ConstructName] {
    var found: Set<ConstructName> = [root]
    var open = [root]
    while let name = open.popLast() {
      for field in name.construct.fields {
        for inner in constructs(in: field.kind) where found.insert(inner).inserted { open.append(inner) }
      }
    }
    return ConstructName.allCases.filter(found.contains)
  }

  private static func constructs(in kind: ValueKind) -> [ConstructName] {
    switch kind {
    case .construct(let name): [name]
    case .schemaReference: [.schema]
    case .list(let inner), .oneOrMore(let inner), .map(_, let inner): constructs(in: inner)
    default: []
    }
  }

  /// The JSON Schema of a construct: the mapping, or its short form.
  static func schema(of construct: Construct) -> JSONValue {
    guard let short = construct.shortForm else { return .object(object(of: construct)) }
    var forms: [JSONValue] = []
    if !short.words.isEmpty { forms.append(["enum": texts(short.words)]) }
    forms.append(shortSchema(short))
    forms.append(.object(object(of: construct)))
    return ["anyOf": .array(forms)]
  }

  private static func shortSchema(_ short: Construct.ShortForm) -> JSONValue {
    // Types that require options have no short form.
    short.kind == .type ? types(FieldTypeName.allCases.filter(\.isComplete).map(\.rawValue)) : value(short.kind)
  }

  private static func types(_ names: [String]) -> JSONValue {
    [
      "anyOf": [
        ["enum": texts(names)], ["type": "string", "pattern": .string("^(\(names.joined(separator: "|")))\\?$")],
        ["type": "array", "minItems": 1, "maxItems": 1, "items": value(.construct(.element))],
      ]
    ]
  }

  private static func object(of construct: Construct) -> JSONObject {
    var object = JSONObject([
      .init(name: "type", value: "object"),
      .init(name: "description", value: .string(construct.summary)),
      .init(name: "additionalProperties", value: false),
      .init(
        name: "properties",
        value: .object(JSONObject(construct.fields.map { .init(name: $0.name, value: property($0)) }))),
    ])
    if construct.hasBlocks { object["patternProperties"] = ["^x-": true] }
    let required = construct.fields.filter(\.isRequired).map(\.name)
    if !required.isEmpty { object["required"] = texts(required) }
    if construct.name == .body || construct.name == .auth {
      object["minProperties"] = 1
      object["maxProperties"] = 1
    }
    return object
  }

  private static func property(_ field: any FieldSpec) -> JSONValue {
    var object = JSONObject([
      .init(name: "description", value: .string(field.summary)),
      .init(name: "markdownDescription", value: .string(markdown(field))),
    ])
    guard case .object(let schema) = value(field.kind) else { return .object(object) }
    // Draft 7 ignores all other members next to `$ref`, so the reference is put into `allOf`.
    if schema["$ref"] != nil {
      object["allOf"] = [.object(schema)]
    } else {
      for member in schema.members { object[member.name] = member.value }
    }
    return .object(object)
  }

  private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func markdown(_ field: any FieldSpec) -> String {
    var text = field.summary
    if !field.details.isEmpty { text += "\n\n\(field.details)" }
    if let value = field.defaultText { text += "\n\nDefault: \(value)" }
    return text + "\n\n```yaml\n\(field.examples.joined(separator: "\n# or\n"))\n```"
  }
}

extension EditorSchema {
  /// The JSON Schema of a kind of value.
  static func value(_ kind: ValueKind) -> JSONValue {
    switch kind {
    case .text:
      // The text of a value is used as written, so `012` and `true` are texts too.
      return ["type": ["string", "number", "boolean"]]
    case .name(let role):
      return ["type": "string", "pattern": .string(role.pattern)]
    case .boolean:
      return ["type": "boolean"]
    case .integer(let bounds):
      if bounds.lowerBound == bounds.upperBound { return ["const": .integer(Int64(bounds.lowerBound))] }
      guard bounds.upperBound < Int.max else {
        return ["type": "integer", "minimum": .integer(Int64(bounds.lowerBound))]
      }
      return [
        "type": "integer", "minimum": .integer(Int64(bounds.lowerBound)), "maximum": .integer(Int64(bounds.upperBound)),
      ]
    case .duration:
      return [
        "type": "string",
        "pattern": "^(([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+|P([0-9.]+W)?([0-9.]+D)?(T([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?)$",
      ]
    case .durationOr(let words, let bounds):
      return ["anyOf": [value(.duration(bounds)), ["enum": texts(words)]]]
    case .durationOrPath:
      return ["anyOf": [value(.duration(0...1)), value(.jsonPath)]]
    case .distance(let words):
      let kinds = [value(.age), ["type": "integer", "minimum": 1]]
      return ["anyOf": .array(words.isEmpty ? kinds : kinds + [["enum": texts(words)]])]
    case .age:
      return ["anyOf": [value(.duration(0...1)), ["type": "string", "pattern": "^P([0-9]+Y)?([0-9]+M)?$"]]]
    case .setting(let kind):
      return ["anyOf": [value(kind), ["type": "string", "pattern": "\\{\\{"]]]
    case .size:
      return [
        "anyOf": [
          ["type": "integer", "minimum": 1],
          ["type": "string", "pattern": "^[1-9][0-9]*(B|kB|MB|GB|KiB|MiB|GiB)?$"],
        ]
      ]
    case .countOrShare:
      return [
        "anyOf": [["type": "integer", "minimum": 0], ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?%?$"]]
      ]
    case .choice(let words):
      return ["enum": texts(words)]
    case .type:
      return types(TypeKeys.names)
    case .jsonPath:
      return ["type": "string", "pattern": "^\\$"]
    case .choiceOrMap(let words, let role, let kind):
      return ["anyOf": [["enum": texts(words)], value(.map(role, kind))]]
    case .responseLocation:
      return ["type": "string", "minLength": 1]
    case .expression:
      return ["type": ["string", "boolean"]]
    case .url(let words):
      let url: JSONValue = ["type": "string", "pattern": "^([a-z0-9]+://|\\{\\{)"]
      return words.isEmpty ? url : ["anyOf": [["enum": texts(words)], url]]
    case .hostOrNetwork:
      return ["type": "string", "pattern": "^[A-Za-z0-9_.:*-]+(/[0-9]{1,3})?$"]
    case .requestPath:
      return ["type": "string", "pattern": "^([^?#{]|\\{[^}]*\\}+)*$"]
    case .outputPath:
      return ["type": "string", "pattern": "(\\.(json|jsonl|csv)(\\.(gz|zst))?|\\}\\})$"]
    case .status:
      return [
        "anyOf": [
          ["type": "integer", "minimum": 100, "maximum": 599],
          ["type": "string", "pattern": "^([1-5][xX][xX]|[1-5][0-9][0-9](-[1-5][0-9][0-9])?)$"],
        ]
      ]
    case .statusOr(let words):
      return ["anyOf": [["enum": texts(words)], value(.status)]]
    case .rate:
      return ["type": "string", "pattern": "^[1-9][0-9]*/(([0-9]+(\\.[0-9]+)?)?(ms|s|m|h|d)|P.+)$"]
    case .json:
      return [:]
    case .list(let inner):
      return ["type": "array", "items": value(inner)]
    case .oneOrMore(let inner):
      let element = value(inner)
      return ["anyOf": [element, ["type": "array", "items": element]]]
    case .map(let role, let inner):
      return [
        "type": "object", "propertyNames": ["pattern": .string(role.pattern)],
        "additionalProperties": value(inner),
      ]
    case .namesOrMap(let role, let kind):
      let entry: JSONValue = ["anyOf": [["type": "null"], value(kind)]]
      let map: JSONValue = [
        "type": "object", "propertyNames": ["pattern": .string(role.pattern)], "additionalProperties": entry,
      ]
      return ["anyOf": [value(.list(.name(role))), map]]
    case .construct(let name):
      return ["$ref": .string("#/definitions/\(name.rawValue)")]
    case .flowReference:
      return ["type": "string", "pattern": "^[^\\s{}]+$"]
    case .program:
      return ["type": "string", "minLength": 1]
    case .schemaReference:
      return [
        "anyOf": [["type": "string", "pattern": .string(NameRole.schema.pattern)], ["$ref": "#/definitions/schema"]]
      ]
    }
  }
}
