internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

enum ForKeys {
  static let construct = Construct(
    .flowFor, noun: "'for'", "One flow for each item of a list or of a file.",
    details: """
      An item sets variables. The flow is read once for each item, with these variables, as if it were written \
      separately for each item: each of these flows has its own name, result, cursor and status. If one result with \
      the records of all items is enough, use `each`.
      """,
    fields: [values, variable, file, variables, name],
    frame: .flow("resource: /customers\nfor:\n  ◆"))

  static let values = Field(
    "values", .whole(.oneOrMore(.text), isTemplated: true), default: "none",
    "The items: texts and integers, without duplicates. One expression over variables can give the list.",
    details: """
      The list may be empty: then there is no flow. Variables in the expression have their values from the command \
      line, else from the environment, else their defaults.
      """, secrets: .refused, edit: .whereUsed,
    examples: ["values: [contacts, deals]\nas: object", "values: \"{{ split(vars.region, ',') }}\"\nas: area"],
    mistakes: [
      "as: object\nvalues: [a, ↓a]": .duplicateItem, "as: object\nvalues: ↓a": .wrongKind,
      "as: object\nvalues: \"{{ vars.↓regions }}\"": .templateUnknownVariable,
      "as: object\nvalues: \"↓{{ vars.region }}\"": .expressionType, "↓values: [a]": .generatedFlow,
    ])

  static let variable = Field(
    "as", .name(.variable), default: .nothing, "The variable whose value is the item of `values`.",
    details: "Templates use it as `{{ vars.NAME }}`. It cannot be given on the command line.", secrets: .refused,
    edit: .whereUsed, examples: ["as: object\nvalues: [contacts, deals]"],
    mistakes: ["values: [1]\nas: ↓the-object": .invalidName, "values: [1]\nas: ↓region": .generatedFlow])

  static let file = Field(
    "file", .text, default: "none", "A file of items, `.json` or `.jsonl`, beside the flow file or below its folder.",
    details: """
      A JSON array or JSON Lines, each item an object. A flow can write the file; if so, commit it, so that every \
      machine has the same flows. A run uses the file as it is at the start, and reports at its end which flows the \
      next run will have in addition, and which it will no longer have. If the file is missing, no flows are generated \
      from it, and a warning is reported.
      """, secrets: .refused, edit: .whereUsed,
    examples: ["file: objects.jsonl\nvars: { object: $.name }", "file: lists/objects.json\nvars: { object: $.name }"],
    mistakes: [
      "vars: { object: $.name }\nfile: ↓../objects.jsonl": .generatedFlow,
      "vars: { object: $.name }\nfile: ↓objects.yaml": .generatedFlow,
      "values: [1]\nas: object\n↓file: objects.json": .generatedFlow, "↓file: objects.json": .generatedFlow,
    ])

  static let variables = Field(
    "vars", .whole(.map(.variable, .jsonPath)), default: .nothing,
    "The variables that an item of `file` gives, each with the JSONPath of its value in the item.",
    details: "Values are texts, numbers or booleans. The first variable names the flows, unless `name` does.",
    secrets: .refused, edit: .whereUsed,
    examples: ["vars: { object: $.name, label: $.labels.plural }\nfile: objects.jsonl"],
    mistakes: [
      "file: objects.json\nvars: { object: ↓name }": .invalidPath, "file: objects.json\nvars: ↓{}": .missingValue,
      "file: objects.json\nvars: { ↓region: $.name }": .generatedFlow,
      "file: objects.json\nvars: { object: ↓'$[*]' }": .invalidPath,
    ])

  static let name = Field(
    "name", .filledLine, default: "the name in the file, `_` and the value of the first variable, in lower case",
    "The name of the flow for each item.",
    details: """
      In the default, characters that are not allowed in names become `_`. Two items with one name are an error.
      """, secrets: .refused, edit: .whereUsed,
    examples: ["name: \"{{ vars.object }}_list\"\nvalues: [contacts, deals]\nas: object"],
    mistakes: [
      "values: [a, b]\nas: object\nname: ↓list": .generatedFlow,
      "values: [a]\nas: object\nname: ↓\"{{ vars.object }} list\"": .invalidName,
      "values: [a]\nas: object\nname: \"{{ ↓object }}\"": .templateUnknownRoot,
    ])
}

extension FlowReader {
  /// The path of a file of items, with the flow file's folder; nil after an error was reported.
  mutating func itemPath(_ value: FieldValue) -> String? {
    read(ForKeys.file, short: value).flatMap { itemPath($0, at: value.node.range) }
  }

  /// Adds the flow file's folder to the path of a file of items; nil after an error was reported.
  mutating func itemPath(_ text: String, at range: SourceRange) -> String? {
    guard text.hasSuffix(".json") || text.hasSuffix(".jsonl") else {
      return fail(
        .generatedFlow, "unknown format of '\(printable(text))'", at: range,
        help: "name a file that ends in .json or .jsonl")
    }
    let normal = PathText.normalized(text)
    guard !text.hasPrefix("/"), !normal.hasPrefix("../"), !text.utf8.contains(where: ASCII.isControl) else {
      return fail(
        .generatedFlow, "'\(printable(text))' is not below the folder of the flow file", at: range,
        help: "write a path below it, without '..'")
    }
    return PathText.joined(folder: PathText.folder(of: file.path), normal)
  }

  /// The items of a file; nil if it does not exist, which is reported as a warning, or after an error was reported.
  ///
  /// - Parameter effect: what happens without the file, for the warning
  mutating func itemRecords(_ path: String, at range: SourceRange, without effect: String) -> [JSONValue]? {
    itemFiles.insert(path)
    let bytes: [UInt8]
    do throws(SourceReadError) {
      guard try reader.names(PathText.folder(of: path))?.contains(PathText.name(of: path)) ?? false else {
        return fail(
          .missingItems, "there is no file '\(printable(path))': \(effect)", at: range,
          help: "run the flow that writes it, or add the file")
      }
      bytes = try reader.bytes(path)
    } catch {
      return fail(
        .unreadableFile, "'\(printable(path))' cannot be read: \(error.message)", at: range,
        help: "check that you may read it")
    }
    let parts = path.hasSuffix(".jsonl") ? bytes.split(separator: UInt8(ascii: "\n")) : [bytes[...]]
    var records: [JSONValue] = []
    for (number, part) in parts.enumerated() where part.contains(where: { !ASCII.isSpace($0) }) {
      do throws(JSONError) {
        let value = try JSONValue(parsing: Array(part))
        records += path.hasSuffix(".jsonl") ? [value] : value.array ?? [value]
      } catch {
        return fail(
          .generatedFlow,
          "'\(printable(path))' is not JSON"
            + (path.hasSuffix(".jsonl") ? " in line \(number + 1)" : "") + ": \(error.message)", at: range,
          help: "correct the file, or write it again with the flow that makes it")
      }
    }
    return records
  }
}
