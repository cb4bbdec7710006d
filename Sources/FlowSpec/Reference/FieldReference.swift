import SourceDiagnostics

/// Explanations of the language for `reactor explain KEY`, generated from its tables.
package enum FieldReference {
  /// Explains a word of the language; returns nil for an unknown word.
  ///
  /// The word is a construct (`flow`, `http`), a key (`prune`), or a key in its construct (`http.timeout`,
  /// `flows.shop.persistence.path`, `expect.min`).
  package static func explain(_ query: String) -> String? {
    let parts = query.split(separator: ".").map(String.init)
    guard let last = parts.last, !query.hasPrefix("."), !query.hasSuffix(".") else { return nil }
    var pages: [(text: String, address: String)] = []
    if parts.count == 1 || ConstructName(rawValue: query) != nil {
      pages += ConstructName.allCases.filter { $0.rawValue == query || $0.title == query }.map {
        (page(of: $0.construct), ReferencePage.address(of: $0))
      }
    }
    for name in ConstructName.allCases {
      let construct = name.construct
      guard parts.count == 1 || owns(construct, parts.dropLast()) else { continue }
      if let field = construct[last] {
        pages.append((page(of: field, in: construct), ReferencePage.address(of: name, key: last)))
      }
      if let later = construct.later.first(where: { $0.name == last }) {
        pages.append((page(of: later, in: construct), ReferencePage.address(of: name)))
      }
    }
    guard !pages.isEmpty else { return nil }
    return merged(pages).map { "\($0.text)\nPage: \($0.address)\n" }.joined(separator: "\n")
  }

  /// All words that `explain` knows, in order.
  package static var names: [String] {
    var names: Set<String> = []
    for name in ConstructName.allCases {
      names.insert(name.rawValue)
      for field in name.construct.fields { names.formUnion([field.name, "\(name.rawValue).\(field.name)"]) }
      for later in name.construct.later { names.insert(later.name) }
    }
    return names.sorted()
  }

  /// Another word for the same key that is not the name of a flow; nil if there is none.
  package static func otherName(of word: String, than flows: Set<String>) -> String? {
    let key = word.split(separator: ".").last.map(String.init) ?? word
    return ConstructName.allCases.lazy
      .filter { $0.construct[key] != nil && explain(word)?.contains(" (in \($0.construct.noun))") == true }
      .map { "\($0.rawValue).\(key)" }.first { !flows.contains($0) }
  }

  /// The known word that is nearest to a misspelt word.
  package static func suggestion(for query: String) -> String? { NearMiss.suggestion(for: query, in: names) }

  /// Whether a dotted path leads to a construct, by the construct's name or by the key that contains it.
  private static func owns(_ construct: Construct, _ path: ArraySlice<String>) -> Bool {
    guard let last = path.last else { return false }
    if path.joined(separator: ".") == construct.name.rawValue { return true }
    let owners: [String] =
      switch construct.name {
      case .file, .schemaFile: ["file"]
      case .variable: ["vars", "variable"]
      case .secret: ["secrets", "secret"]
      case .flow: ["flows"]
      case .schema: ["schemas"]
      case .field: ["fields"]
      case .element: ["of"]
      case .defaultPersistence, .defaultExpect: []
      case .eachPart: ["product"]
      case .eachUnion: ["union"]
      default: [construct.name.rawValue]
      }
    if owners.contains(last) { return true }
    // In `flows.shop.prune`, the author chooses the name after `flows`.
    return path.count >= 2 && owners.contains(path[path.endIndex - 2]) && construct.name.isNamed
  }

  private static func page(of construct: Construct) -> String {
    var text = "\(construct.name.title): \(construct.summary)\n"
    if !construct.details.isEmpty { text += "\n\(wrapped(construct.details))\n" }
    if let short = construct.shortForm {
      text += "\nShort form: \(short.summary)\n" + short.examples.map { "    \($0)\n" }.joined()
    }
    text += "\nKeys:\n"
    let width = (construct.fields.map(\.name.count).max() ?? 0) + 2
    for field in construct.fields {
      text += "  " + field.name + String(repeating: " ", count: width - field.name.count) + field.summary
      text += field.isRequired ? " (required)\n" : "\n"
    }
    if !construct.later.isEmpty {
      text += "\nIn later versions: \(construct.later.map(\.name).joined(separator: ", "))\n"
    }
    return text
  }

  /// The page of a key, for `explain`.
  static func page(of field: any FieldSpec, in construct: Construct) -> String {
    var text = "\(field.name) (in \(construct.noun)): \(field.summary)\n\n"
    text += "  value      \(field.kind.words)\n"
    if field.isRequired { text += "  required   yes\n" }
    if let value = field.defaultText { text += "  default    \(value)\n" }
    if field.isTemplated { text += "  templates  \(templateWords(field))\n" }
    text += "  edited     \(field.effect.words)\n"
    if !field.details.isEmpty { text += "\n\(wrapped(field.details))\n" }
    text += "\nRight:\n\n" + field.examples.map { indented($0) }.joined(separator: "\n")
    if !field.mistakes.isEmpty {
      text += "\nWrong:\n\n"
      text += field.mistakes.map { indented($0.text) + "      # \($0.code.rawValue)\n" }.joined(separator: "\n")
    }
    return text
  }

  private static func page(of later: Construct.LaterKey, in construct: Construct) -> String {
    var text =
      "\(later.name) (in \(construct.noun)): not supported by this version; it will declare \(later.summary).\n"
    if let instead = later.instead { text += "Until then: \(instead)\n" }
    return text
  }

  static func templateWords(_ field: any FieldSpec) -> String {
    switch field.secrets {
    case .allowed: "yes"
    case .warned: "yes; secrets with a warning"
    case .refused: "yes, but no secrets"
    }
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  }

  /// The pages without repetitions: a key that two constructs share has one page.
  private static func merged(_ pages: [(text: String, address: String)]) -> [(text: String, address: String)] {
    var seen: Set<String> = []
    return pages.filter { page in
      let body = page.text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? page.text
      return seen.insert(body).inserted
    }
  }

  /// Wraps a text into lines of at most 80 columns.
  static func wrapped(_ text: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n")
  }
}

extension ConstructName {
  /// Whether constructs of this kind have a name that the author chooses.
  fileprivate var isNamed: Bool {
    switch self {
    case .variable, .secret, .flow, .schema, .field: true
    default: false
    }
  }
}
