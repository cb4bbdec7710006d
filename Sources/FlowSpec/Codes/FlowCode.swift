public import SourceDiagnostics

/// A kind of problem in flow and schema files, with its entry in the catalogue.
public struct FlowCode: Sendable, Hashable {
  let entry: DiagnosticCatalogue.Entry
  let severity: Diagnostic.Severity

  init(
    _ code: String, _ title: String, _ explanation: String, _ sample: Sample? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    entry = .init(DiagnosticCode(rawValue: code), title, explanation, wrong: sample?.wrong, right: sample?.right)
    self.severity = severity
  }

  /// The code that diagnostics contain.
  public var code: DiagnosticCode { entry.code }
  /// The code as text, for example `flow.unknown-key`.
  public var rawValue: String { code.rawValue }

  /// A complete file with a mistake, and the same file without the mistake.
  struct Sample: ExpressibleByStringLiteral {
    let wrong: String
    let right: String

    /// Creates both files from one text, in which `‹wrong→right›` marks each difference.
    init(_ marked: String) {
      (wrong, right) = DiagnosticCatalogue.Entry.versions(of: marked + "\n")
    }

    init(stringLiteral text: String) { self.init(text) }

    init(wrong: Sample, right: Sample) { (self.wrong, self.right) = (wrong.wrong, right.right) }

    /// A flow file with fixed first lines. `keys` follow them and start with the key `flows`.
    static func file(_ keys: String) -> Sample {
      Sample("reactor: 1\nhttp: { base_url: https://api.example.com }\n" + keys)
    }

    /// A file with one flow, `customers`. If the first key is not `resource`, the flow requests `/customers`.
    static func flow(vars: String? = nil, secrets: String? = nil, _ keys: String) -> Sample {
      let names = (vars.map { "vars: { \($0) }\n" } ?? "") + (secrets.map { "secrets: [\($0)]\n" } ?? "")
      func file(_ keys: String) -> String {
        "reactor: 1\n\(names)http: { base_url: https://api.example.com }\nflows:\n  customers:\n"
          + indented(keys.hasPrefix("resource:") ? keys : "resource: /customers\n" + keys)
      }
      let keys = DiagnosticCatalogue.Entry.versions(of: keys)
      return Sample(wrong: Sample(file(keys.wrong)), right: Sample(file(keys.right)))
    }

    /// A file with one flow whose request path contains a template.
    static func path(_ path: String) -> Sample {
      flow(vars: "region: eu, size: { type: integer, default: 10 }", "resource: \"/\(path)/customers\"")
    }

    /// A file with one schema, `customer`.
    static func schema(_ keys: String) -> Sample { Sample("reactor: 1\nschemas:\n  customer:\n" + indented(keys)) }

    private static func indented(_ lines: String) -> String {
      lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
    }
  }
}

extension FlowCode: CaseIterable {
  /// All codes, in the order of the reference page.
  public static let allCases: [FlowCode] = [
    .unknownKey, .unsupportedKey, .misplacedKey, .missingKey, .missingValue, .wrongKind, .unsupportedVersion,
    .invalidName, .invalidBoolean, .invalidInteger, .invalidDuration, .invalidSize, .invalidRate, .outOfRange,
    .unknownValue, .unknownType, .invalidPath, .controlCharacter, .duplicateItem, .variableDefault,
    .invalidURL, .invalidAddress, .missingBaseURL, .invalidRequestPath, .unknownParameter, .invalidHeader,
    .reservedHeader, .bodyNotAllowed, .bodyForm,
    .authForm, .authConflict, .authBody, .authValue, .plainCredential,
    .invalidOutput, .invalidStatus, .impossibleExpectation, .mergeWithoutKey, .unknownSchema, .unknownStore,
    .invalidTable, .duplicateFlow,
    .duplicateOutput, .unreadableFile, .overrideUnknown, .overrideValue,
    .misplacedDecodeKey, .incompleteDecode, .invalidDelimiter, .invalidPacking, .misplacedPagesKey, .incompletePages,
    .cursorField, .cursorBounds, .cursorPersistence,
    .invalidProgram, .computedCycle, .nestedValue, .unknownFlow, .generatedFlow, .missingItems, .flowCycle, .eachSource,
    .eachChanged,
    .sentRecords, .sentField, .idempotencyKey, .eachBatch, .fieldGroups,
    .duplicateSchema, .recursion, .tooLarge, .noFields, .unknownField, .incompleteType, .misplacedOption,
    .contradiction, .duplicateValue, .invalidFormat, .invalidDefault,
    .templateUnclosed, .templateEmpty, .templateUnknownRoot, .templateUnknownVariable, .templateUnknownSecret,
    .templateNotAllowed, .templateSecretNotAllowed, .templateSecretInURL, .templateUnsetVariable,
    .templateUnsetSecret, .templateUnsetEnvironment, .templateControlCharacter,
    .expressionSyntax, .expressionName, .expressionType, .expressionMissing, .expressionValue,
  ]
}

extension DiagnosticCatalogue {
  /// The entries of all codes for flow files, schema files and templates.
  public static var flowEntries: [Entry] { FlowCode.allCases.map(\.entry) }
}

extension Diagnostic {
  /// Builds a diagnostic with the severity of its code. A suggestion becomes the help and a fix-it.
  init(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil, notes: [Note] = [],
    help: String? = nil, fixIts: [FixIt] = []
  ) {
    var fixIts = fixIts
    if let suggestion, let range {
      fixIts.append(FixIt("replace it with '\(suggestion)'", replacing: range, with: suggestion))
    }
    self.init(
      code.severity, code.code, message, at: range, notes: notes,
      help: suggestion.map { "did you mean '\($0)'?" } ?? help, fixIts: fixIts)
  }
}

extension DiagnosticBag {
  mutating func report(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    report(
      Diagnostic(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts))
  }
}

/// Joins quoted words to a list: `'a', 'b' and 'c'`. A list of more than `limit` words is shortened.
func listed(_ words: [String], joining last: String = "and", atMost limit: Int = 12) -> String {
  let quoted = words.prefix(limit).map { "'\($0)'" }
  if words.count > limit { return quoted.joined(separator: ", ") + " \(last) \(words.count - limit) more" }
  guard let final = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " \(last) \(final)"
}
