import FlowSpec
import SourceDiagnostics
import TestSupport

/// Flow files and everything else in memory, to be loaded like a folder on disk.
struct Project {
  var flows: [SourceFile] = []
  /// Files that only the loader's reader finds, by path.
  var others: [String: String] = [:]
  var workingFolder = "/home/me/project"

  /// One flow file.
  init(_ text: String, path: String = "flows/shop.yaml", others: [String: String] = [:]) {
    flows = [SourceFile(path: path, text: text)]
    self.others = others
  }

  /// Several flow files.
  init(files: KeyValuePairs<String, String>, others: [String: String] = [:]) {
    flows = files.map { SourceFile(path: $0.key, text: $0.value) }
    self.others = others
  }

  /// One schema file, beside an empty flow file.
  init(schemas text: String) {
    self.init("reactor: 1\nflows: {}\n", others: ["schemas/shop.yaml": text])
  }

  /// A file from a construct's frame.
  init(_ text: String, isSchemaFile: Bool) {
    self = isSchemaFile ? Project(schemas: text) : Project(text)
    others.merge(Self.itemFiles) { own, _ in own }
  }

  /// The files of items that examples name.
  static let itemFiles: [String: String] = {
    let object = #"{"name":"a","labels":{"plural":"As"}}"#
    let field = #"{"name":"x","type":"string","apiName":"x","dataType":"string"}"#
    return [
      "flows/objects.jsonl": object, "flows/objects.json": "[\(object)]", "flows/lists/objects.json": "[\(object)]",
      "flows/fields.jsonl": field, "flows/fields.json": "[\(field)]", "flows/fields/eu.json": "[\(field)]",
      "schemas/customer.json": "[\(field)]",
    ]
  }()

  func load() -> LoadedFlows {
    let others = others
    let reader = SourceReader(
      workingFolder: workingFolder,
      names: { (folder) throws(SourceReadError) -> [String]? in
        let prefix = folder + "/"
        let names = others.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return names.isEmpty ? nil : names
      },
      bytes: { (path) throws(SourceReadError) -> [UInt8] in
        guard let text = others[path], text != "unreadable" else { throw SourceReadError("permission denied") }
        return Array(text.utf8)
      })
    return FlowLoader(reader: reader).load(flows)
  }

  /// All problems, rendered.
  var report: String { DiagnosticRenderer().render(load().diagnostics.diagnostics) }
}

extension LoadedFlows {
  /// The codes of all problems in order.
  var codes: [String] { diagnostics.diagnostics.map(\.code.rawValue) }

  /// Code and place of all problems, as `code@line:column`.
  var locations: [String] {
    diagnostics.diagnostics.map { diagnostic in
      "\(diagnostic.code.rawValue)@" + (diagnostic.range.map { "\($0.start.line):\($0.start.column)" } ?? "-")
    }
  }
}

/// A file with one flow, whose keys are given at the flow's indentation.
func flowFile(_ keys: String, top: String = "http: { base_url: https://api.example.com }") -> String {
  let lines = keys.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  return "reactor: 1\n\(top)\nflows:\n  customers:\n\(lines)"
}

/// A schema file with one schema of some fields.
func schemaFile(_ fields: String) -> String {
  let lines = fields.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)\n" }.joined()
  return "reactor: 1\nschemas:\n  customer:\n    fields:\n\(lines)"
}
