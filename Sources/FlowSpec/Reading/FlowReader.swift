internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// Reads the YAML tree of one file by the tables of the language, and reports all errors.
///
/// After an error, a function returns nil or leaves the value out, and reading continues with the next key.
struct FlowReader: Sendable {
  let file: SourceFile
  /// The file's name without extensions, which is the first part of the ids of its flows.
  let stem: String
  /// The access to files whose items declare flows or fields.
  let reader: SourceReader
  /// Values of variables that are given outside the files.
  let overrides: VariableOverrides
  var diagnostics = DiagnosticBag()
  /// The limits for what the set of files can expand to.
  var budget = LoadBudget()
  /// The flows without a base URL.
  var flowsWithoutBase: [Located<String>] = []
  /// The paths of the files whose items determine which flows are generated, or which fields a schema has.
  var itemFiles: Set<String> = []
  /// The flows whose fields are not known yet, by id.
  var unlocked: Set<String> = []
  /// The secrets that templates of a flow use; before the flows are read, those of the other parts of the file.
  var usedSecrets: Set<String> = []
  /// Whether flows whose fields are not known yet are read, to infer the fields from their records.
  var isInferring = false
  /// The fields of the lock file, by the name of the flow; nil before it was read.
  var locked: [String: [RawSchema.Field]]?
  /// Keys that are indented one level too little, by the offset of the key below which they belong.
  private var outdented: [Int: Set<String>] = [:]
  /// Whether the value of `first_run` is being read. The request of a first run need not use the cursor.
  var isInFirstRun = false
  /// Errors in computed fields of schemas that several flows use. Each error occurs once for each of these flows.
  var computedErrors = DiagnosticBag()

  /// A cache of parsed paths by text, because files repeat paths.
  private var paths: [String: JSONPath] = [:]
  /// A cache of durations in seconds, by text.
  private var durations: [String: Double] = [:]
  /// The number of comparisons with known words that may still be made to find suggestions.
  ///
  /// In a file with thousands of errors, only the first errors get suggestions, so that reading still ends quickly.
  private var comparisons = 50_000

  init(_ file: SourceFile, reader: SourceReader = .nothing, overrides: VariableOverrides = VariableOverrides()) {
    self.file = file
    self.reader = reader
    self.overrides = overrides
    stem = PathText.stem(of: file.path)
  }

  /// A reader for `count` of the file's `all` flows. It has no diagnostics yet, and may make its share of the
  /// comparisons for suggestions.
  func part(_ count: Int, of all: Int) -> FlowReader {
    var part = self
    part.diagnostics = DiagnosticBag()
    part.comparisons = comparisons * count / max(all, 1)
    return part
  }

  /// Finds the known word that is nearest to a misspelt word.
  mutating func nearest(to word: String, in words: @autoclosure () -> [String]) -> String? {
    guard comparisons > 0 else { return nil }
    let words = words()
    comparisons -= words.count
    return NearMiss.suggestion(for: word, in: words)
  }

  /// Parses a path. Equal texts are parsed only once.
  mutating func path(parsing text: String) throws(JSONPathError) -> JSONPath {
    if let path = paths[text] { return path }
    let path = try JSONPath(parsing: text)
    paths[text] = path
    return path
  }

  /// Reads a duration. Equal texts are read only once.
  mutating func seconds(reading text: String) throws(ValueError) -> Double {
    if let seconds = durations[text] { return seconds }
    let seconds = try DurationText.seconds(in: text)
    durations[text] = seconds
    return seconds
  }

  /// Reports a problem. A suggestion becomes the help and a fix-it.
  mutating func report(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
  }

  /// Reports a problem and returns nil.
  mutating func fail<Value>(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) -> Value? {
    report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
    return nil
  }

  /// The number of errors reported so far. If it does not change while a part is read, the part has no errors.
  var errorCount: Int { diagnostics.diagnostics.count { $0.severity == .error } }
}

extension YAMLNode {
  /// The kind of the node in words, for messages.
  var kindWords: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }
}

extension FlowReader {
  /// Checks the keys of a value, which must be a mapping, against a construct's table.
  mutating func open(_ value: FieldValue, as name: ConstructName, in scope: Scope? = nil) -> FieldNodes? {
    open(value.node, as: name.construct, owner: value.key, scope: scope ?? value.scope)
  }

  /// Checks the keys of a mapping against a construct's table.
  ///
  /// - Parameters:
  ///   - owner: the location to report if a required key is missing.
  ///   - scope: the names that templates in the mapping may use.
  /// - Returns: the values by key; nil if the node is not a mapping.
  mutating func open(_ node: YAMLNode, as construct: Construct, owner: SourceRange, scope: Scope) -> FieldNodes? {
    guard case .mapping(let mapping) = node.content else {
      return fail(
        .wrongKind, "\(construct.noun) must be a mapping, not \(node.kindWords)", at: node.isNull ? owner : node.range,
        help: "its keys are \(listed(construct.fields.map(\.name)))")
    }
    var nodes = FieldNodes(construct, mapping, range: node.range, scope: scope)
    let entries = mapping.entries
    // Loop over indices: an entry is large, and a copy of each entry takes measurable time.
    var above: Int?
    for index in entries.indices {
      if construct.hasBlocks, entries[index].name.hasPrefix("x-") { continue }
      var slot = construct.slots[entries[index].name]
      if slot == nil, let present = renamed(entries[index], of: entries, in: construct) {
        guard present.keepsValue else {
          nodes.note(.misspelt(present.name))
          continue
        }
        slot = construct.slots[present.name]
      }
      guard let slot else {
        let owner = above.flatMap { isOutdented(entries[index], below: entries[$0], in: construct) ? entries[$0] : nil }
        nodes.note(reportKey(entries[index], in: construct, below: owner))
        continue
      }
      above = index
      if entries[index].value.isNull, construct.fields[slot].kind != .json {
        nodes.hasError = true
        nodes.fill(slot: slot, with: index)
        // The keys of this value follow it, but are not indented: each of them is reported.
        if index + 1 < entries.count, isOutdented(entries[index + 1], below: entries[index], in: construct) { continue }
        report(
          .missingValue, "'\(construct.fields[slot].name)' has no value", at: entries[index].key.range,
          help: "leave it out, or write it as in '\(firstLine(of: construct.fields[slot]))'")
      }
      nodes.fill(slot: slot, with: index)
    }
    for slot in construct.required where !nodes.isFilled(slot: slot) {
      let field = construct.fields[slot]
      nodes.hasError = true
      // A misspelt key is reported as one error, not as two.
      guard nodes.isLeftOut(field), outdented[owner.offsets.lowerBound]?.contains(field.name) != true else { continue }
      report(
        .missingKey, "'\(field.name)' is missing in \(construct.noun)", at: owner,
        help: "add it, for example '\(firstLine(of: field))'")
    }
    checkRequirements(of: nodes)
    return nodes
  }

  /// Reports keys that are missing or have no effect beside the others.
  private mutating func checkRequirements(of nodes: FieldNodes) {
    for requirement in nodes.construct.requirements {
      if requirement.lacksAll(in: nodes) {
        report(requirement.code, requirement.message("", ""), at: nodes.range, help: requirement.help)
      }
      for field in requirement.keys {
        guard let key = nodes.key(field), let word = requirement.conflict(of: field, in: nodes) else { continue }
        report(requirement.code, requirement.message(field.name, word), at: key, help: requirement.help)
      }
    }
  }

  private func firstLine(of field: any FieldSpec) -> String {
    field.examples.first { $0.hasPrefix("\(field.name):") }?
      .split(separator: "\n").first.map(String.init) ?? "\(field.name): …"
  }

  /// Whether a key belongs in the value of the key above it, but is not indented enough.
  private func isOutdented(
    _ entry: YAMLMapping.Entry, below owner: YAMLMapping.Entry, in construct: Construct
  ) -> Bool {
    guard construct.slots[entry.name] == nil, let field = construct[owner.name] else { return false }
    if owner.value.isNull, case .map = field.kind, entry.value.isMapping { return true }
    guard owner.value.isNull || owner.value.isMapping else { return false }
    return field.kind.construct?[entry.name] != nil
  }

  /// Reports a key that is written as in an earlier version; returns its present spelling.
  private mutating func renamed(
    _ entry: YAMLMapping.Entry, of entries: [YAMLMapping.Entry], in construct: Construct
  ) -> PresentSpelling? {
    guard let present = RenamedKey.present(entry.name, in: construct.name)?.spelling(of: entry, among: entries) else {
      return nil
    }
    report(
      .renamedKey, "'\(entry.name)' is now written '\(present.text)'", at: entry.key.range,
      help: "write '\(present.text)'" + (present.fixIts.isEmpty ? "" : "; 'reactor check --fix' corrects the files"),
      fixIts: present.fixIts)
    return present
  }

  /// Reports a key that is not in the construct's table.
  ///
  /// - Parameter owner: the key above, in whose value the unknown key belongs, if only its indentation is wrong.
  private mutating func reportKey(
    _ entry: YAMLMapping.Entry, in construct: Construct, below owner: YAMLMapping.Entry? = nil
  ) -> UnknownKey {
    if let owner {
      outdented[owner.key.range.offsets.lowerBound, default: []].insert(entry.name)
      report(
        .unknownKey, "unknown key '\(entry.name)' in \(construct.noun)", at: entry.key.range,
        notes: [Diagnostic.Note("the unknown key belongs below this key", at: owner.key.range)],
        help: "indent it deeper than '\(owner.name)'")
      return .foreign
    }
    if let later = construct.later.first(where: { $0.name == entry.name }) {
      report(
        .unsupportedKey, "'\(entry.name)' is not supported by this version", at: entry.key.range,
        help: "it will declare \(later.summary)" + (later.instead.map { "; until then \($0)" } ?? ""))
      return .foreign
    }
    let foreign = ForeignKey.named(entry.name, in: construct.name)
    var suggestion = nearest(to: entry.name, in: construct.fields.map(\.name))
    if case .key(let key)? = foreign { suggestion = key }
    let home = home(of: entry.name, except: construct)
    let help: String
    if case .help(let text)? = foreign {
      help = text
    } else {
      help =
        home.map { "'\(entry.name)' belongs in \($0.noun)" + Self.sharing(entry.name, in: construct, home: $0) }
        ?? "its keys are \(listed(construct.fields.map(\.name), atMost: 20))"
    }
    report(
      .unknownKey, "unknown key '\(entry.name)' in \(construct.noun)", at: entry.key.range, suggestion: suggestion,
      help: help)
    return suggestion.map { .misspelt($0) } ?? (foreign != nil || home == nil ? .unknown : .foreign)
  }

  /// The end of a help, which says how several flows can share a key that 'defaults' does not have; empty for other
  /// keys.
  private static func sharing(_ key: String, in construct: Construct, home: Construct) -> String {
    guard construct.name == .defaults, home.name == .flow else { return "" }
    return "; to share it, write 'x-\(key): &\(key)' at the top of the file and '\(key): *\(key)' in each flow"
  }

  /// Finds another construct that has a key, to suggest where the key belongs.
  private func home(of key: String, except construct: Construct) -> Construct? {
    let homes: [ConstructName]
    switch construct.name {
    case .field, .element, .schema: return nil
    case .flow, .resource: homes = [.resource, .http, .persistence, .expect, .each, .flow, .file]
    default: homes = [.http, .flow, .resource, .persistence, .expect, .file]
    }
    return homes.first { $0 != construct.name && $0.construct[key] != nil }?.construct
  }

  /// Reads a mapping whose names the author chooses. Invalid names are reported and left out.
  mutating func members(of value: FieldValue, role: NameRole) -> [YAMLMapping.Entry]? {
    guard !value.node.isNull else { return nil }
    guard case .mapping(let mapping) = value.node.content else { return wrongKind(value, "a mapping") }
    return mapping.entries.filter { check($0.name, role: role, at: $0.key) }
  }

  /// The elements of a list.
  mutating func elements(of value: FieldValue) -> [FieldValue]? {
    guard !value.node.isNull else { return nil }
    guard case .sequence(let nodes) = value.node.content else { return wrongKind(value, "a list") }
    return nodes.map { value.part($0) }
  }

  /// The elements of a list, or the value itself if it is not a list.
  mutating func oneOrMore(of value: FieldValue) -> [FieldValue]? {
    value.node.isSequence ? elements(of: value) : [value]
  }
}
