extension EditorSchema {
  /// The schema of a value.
  static func value(_ kind: ValueKind) -> LiteralJSON {
    switch kind {
    case .text:
      // Text is kept as written, so that 012 and true are texts too.
      return ["type": ["string", "number", "boolean"]]
    case .name(let role):
      return ["type": "string", "pattern": .string(role.pattern)]
    case .boolean:
      return ["type": "boolean"]
    case .integer(let bounds):
      if bounds.lowerBound == bounds.upperBound { return ["const": .integer(bounds.lowerBound)] }
      guard bounds.upperBound < Int.max else {
        return ["type": "integer", "minimum": .integer(bounds.lowerBound)]
      }
      return [
        "type": "integer", "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound),
      ]
    case .duration:
      return [
        "type": "string",
        "pattern": "^(([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+|P([0-9.]+W)?([0-9.]+D)?(T([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?)$",
      ]
    case .durationOrPath:
      return ["anyOf": [value(.duration(0...1)), value(.jsonPath)]]
    case .durationOrInteger:
      return ["anyOf": [value(.duration(0...1)), ["type": "integer", "minimum": 1]]]
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
      return ["enum": .texts(words)]
    case .jsonPath:
      return ["type": "string", "pattern": "^\\$"]
    case .expression:
      return ["type": ["string", "boolean"]]
    case .url(let words):
      let url: LiteralJSON = ["type": "string", "pattern": "^([a-z0-9]+://|\\{\\{)"]
      return words.isEmpty ? url : ["anyOf": [["enum": .texts(words)], url]]
    case .hostOrNetwork:
      return ["type": "string", "pattern": "^[A-Za-z0-9_.:*-]+(/[0-9]{1,3})?$"]
    case .requestPath:
      return ["type": "string", "pattern": "^([^?#{]|\\{[^}]*\\}+)*$"]
    case .outputPath:
      return ["type": "string", "pattern": "(\\.(json|jsonl|csv)|\\}\\})$"]
    case .status:
      return [
        "anyOf": [
          ["type": "integer", "minimum": 100, "maximum": 599],
          ["type": "string", "pattern": "^([1-5][xX][xX]|[1-5][0-9][0-9](-[1-5][0-9][0-9])?)$"],
        ]
      ]
    case .statusOr(let words):
      return ["anyOf": [["enum": .texts(words)], value(.status)]]
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
