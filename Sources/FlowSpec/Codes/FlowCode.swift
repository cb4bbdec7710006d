public import SourceDiagnostics

/// A kind of problem that flow and schema files can have, with its entry in the catalogue.
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

  /// The code as diagnostics carry it.
  public var code: DiagnosticCode { entry.code }
  /// The code's text: `flow.unknown-key`.
  public var rawValue: String { code.rawValue }

  /// A whole file with a mistake, and the same file without it.
  struct Sample: ExpressibleByStringLiteral {
    let wrong: String
    let right: String

    /// Takes a text in which `‹wrong→right›` marks what differs.
    init(_ marked: String) {
      (wrong, right) = DiagnosticCatalogue.Entry.versions(of: marked + "\n")
    }

    init(stringLiteral text: String) { self.init(text) }

    init(wrong: Sample, right: Sample) { (self.wrong, self.right) = (wrong.wrong, right.right) }

    /// A flow file from its key `flows` on.
    static func file(_ keys: String) -> Sample {
      Sample("reactor: 1\nhttp: { base_url: https://api.example.com }\n" + keys)
    }

    /// A file with one flow, `customers`; without a resource as its first key it requests `/customers`.
    static func flow(vars: String? = nil, secrets: String? = nil, _ keys: String) -> Sample {
      let names = (vars.map { "vars: { \($0) }\n" } ?? "") + (secrets.map { "secrets: [\($0)]\n" } ?? "")
      func file(_ keys: String) -> String {
        "reactor: 1\n\(names)http: { base_url: https://api.example.com }\nflows:\n  customers:\n"
          + indented(keys.hasPrefix("resource:") ? keys : "resource: /customers\n" + keys)
      }
      let keys = DiagnosticCatalogue.Entry.versions(of: keys)
      return Sample(wrong: Sample(file(keys.wrong)), right: Sample(file(keys.right)))
    }

    /// A flow that requests a path with a template in it.
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
  /// All codes, in the order of the reference.
  public static let allCases: [FlowCode] = [
    .unknownKey, .unsupportedKey, .misplacedKey, .missingKey, .missingValue, .wrongKind, .unsupportedVersion,
    .invalidName, .invalidBoolean, .invalidInteger, .invalidDuration, .invalidSize, .invalidRate, .outOfRange,
    .unknownValue, .unknownType, .invalidPath, .controlCharacter, .duplicateItem, .variableDefault,
    .invalidURL, .invalidAddress, .missingBaseURL, .invalidRequestPath, .unknownParameter, .invalidHeader,
    .reservedHeader, .bodyNotAllowed, .bodyForm,
    .authForm, .authConflict, .authBody, .authValue, .plainCredential,
    .invalidOutput, .invalidStatus, .impossibleExpectation, .mergeWithoutKey, .unknownSchema, .duplicateFlow,
    .duplicateOutput, .unreadableFile, .overrideUnknown, .overrideValue,
    .misplacedPagesKey, .incompletePages, .cursorField, .cursorBounds, .cursorPersistence,
    .invalidProgram, .computedCycle, .nestedValue, .unknownFlow, .flowCycle, .eachSource, .eachChanged,
    .sentRecords, .sentField, .idempotencyKey, .eachBatch,
    .duplicateSchema, .recursion, .tooLarge, .noFields, .unknownField, .incompleteType, .misplacedOption,
    .contradiction, .duplicateValue, .invalidFormat, .invalidDefault,
    .templateUnclosed, .templateEmpty, .templateUnknownRoot, .templateUnknownVariable, .templateUnknownSecret,
    .templateNotAllowed, .templateSecretNotAllowed, .templateSecretInURL, .templateUnsetVariable,
    .templateUnsetSecret, .templateUnsetEnvironment, .templateControlCharacter,
    .expressionSyntax, .expressionName, .expressionType, .expressionMissing, .expressionValue,
  ]
}

extension DiagnosticCatalogue {
  /// What the codes of flow files, schema files and templates mean.
  public static var flowEntries: [Entry] { FlowCode.allCases.map(\.entry) }
}

extension Diagnostic {
  /// A problem of a code's severity; a suggestion becomes the help and a fix-it.
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

/// `'a', 'b' and 'c'`; long lists are cut.
func listed(_ words: [String], joining last: String = "and", atMost limit: Int = 12) -> String {
  let quoted = words.prefix(limit).map { "'\($0)'" }
  if words.count > limit { return quoted.joined(separator: ", ") + " \(last) \(words.count - limit) more" }
  guard let final = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " \(last) \(final)"
}
