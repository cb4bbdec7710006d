package import SourceDiagnostics

/// A kind of problem in flow and schema files, with its entry in the catalogue.
package struct FlowCode: Sendable {
  /// The code that diagnostics contain.
  package let code: DiagnosticCode
  let severity: Diagnostic.Severity
  private let title: String
  private let explanation: String
  private let sample: Sample?

  init(
    _ code: String, _ title: String, _ explanation: String, _ sample: Sample? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    self.code = DiagnosticCode(rawValue: code)
    self.title = title
    self.explanation = explanation
    self.sample = sample
    self.severity = severity
  }

  /// The code's entry in the catalogue of problems.
  var entry: DiagnosticCatalogue.Entry {
    let files = sample?.files
    return .init(code, title, explanation, wrong: files?.wrong, right: files?.right)
  }
  /// The code as text, for example `flow.unknown-key`.
  package var rawValue: String { code.rawValue }

  /// A complete file with a mistake, and the same file without the mistake.
  ///
  /// `‹wrong→right›` marks each difference. The files are made only when somebody reads them, because most runs report
  /// nothing.
  struct Sample: Sendable, ExpressibleByStringLiteral {
    private let make: @Sendable () -> (wrong: String, right: String)

    /// Creates both files from one text; `complete` adds the rest of a file to each version.
    private init(_ marked: String, _ complete: @escaping @Sendable (String) -> String) {
      make = {
        let versions = DiagnosticCatalogue.Entry.versions(of: marked)
        // The added text may contain marked differences too.
        return (
          DiagnosticCatalogue.Entry.versions(of: complete(versions.wrong) + "\n").wrong,
          DiagnosticCatalogue.Entry.versions(of: complete(versions.right) + "\n").right
        )
      }
    }

    init(stringLiteral text: String) { self.init(text) { $0 } }

    init(wrong: Sample, right: Sample) { make = { (wrong.files.wrong, right.files.right) } }

    var files: (wrong: String, right: String) { make() }

    /// A flow file with fixed first lines. `keys` follow them and start with the key `flows`.
    static func file(_ keys: String) -> Sample {
      Sample(keys) { "reactor: 1\nhttp: { base_url: https://api.example.com }\n" + $0 }
    }

    /// A file with one flow, `customers`. If the first key is not `resource`, the flow requests `/customers`.
    static func flow(vars: String? = nil, secrets: String? = nil, _ keys: String) -> Sample {
      Sample(keys) { keys in
        let names = (vars.map { "vars: { \($0) }\n" } ?? "") + (secrets.map { "secrets: [\($0)]\n" } ?? "")
        return "reactor: 1\n\(names)http: { base_url: https://api.example.com }\nflows:\n  customers:\n"
          + indented(keys.hasPrefix("resource:") ? keys : "resource: /customers\n" + keys)
      }
    }

    /// A file with one flow whose request path contains a template.
    static func path(_ path: String) -> Sample {
      flow(vars: "region: eu, size: { type: integer, default: 10 }", "resource: \"/\(path)/customers\"")
    }

    /// A file with one schema, `customer`.
    static func schema(_ keys: String) -> Sample {
      Sample(keys) { "reactor: 1\nschemas:\n  customer:\n" + indented($0) }
    }

    private static func indented(_ lines: String) -> String {
      lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
    }
  }
}

extension FlowCode: Hashable {
  /// Compares the codes, each of which is declared once.
  package static func == (left: FlowCode, right: FlowCode) -> Bool { left.code == right.code }

  /// Hashes the code.
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension FlowCode: CaseIterable {
  /// All codes, in the order of the reference page.
  package static let allCases: [FlowCode] = [
    .unknownKey, .renamedKey, .unsupportedKey, .misplacedKey, .missingKey, .missingValue, .wrongKind,
    .unsupportedVersion,
    .invalidName, .invalidBoolean, .invalidInteger, .invalidDuration, .invalidSize, .invalidRate, .invalidSchedule,
    .outOfRange,
    .unknownValue, .unknownType, .invalidPath, .controlCharacter, .duplicateItem, .variableDefault,
    .invalidURL, .invalidAddress, .invalidMailAddress, .missingBaseURL, .invalidRequestPath, .unknownParameter,
    .invalidHeader,
    .reservedHeader, .bodyNotAllowed, .bodyForm,
    .authForm, .authConflict, .authBody, .authValue, .plainCredential,
    .invalidOutput, .invalidStatus, .impossibleExpectation, .mergeWithoutKey, .unknownSchema, .unknownStore,
    .invalidTable, .duplicateFlow,
    .duplicateOutput, .stateConflict, .sharedToken, .sharedInput, .unreadableFile, .overrideUnknown, .overrideValue,
    .misplacedDecodeKey, .incompleteDecode, .invalidDelimiter, .invalidPacking, .misplacedPagesKey, .incompletePages,
    .cursorField, .cursorBounds, .cursorPersistence,
    .invalidProgram, .computedCycle, .nestedValue, .unknownFlow, .generatedFlow, .missingItems, .notInferred,
    .flowCycle, .eachSource,
    .eachChanged,
    .sentRecords, .sentField, .idempotencyKey, .eachBatch, .fieldGroups,
    .duplicateSchema, .recursion, .tooLarge, .noFields, .unknownField, .incompleteType, .misplacedOption,
    .contradiction, .duplicateValue, .invalidFormat, .invalidDefault,
    .templateUnclosed, .templateEmpty, .foreignTemplate, .templateUnknownRoot, .templateUnknownVariable,
    .templateUnknownSecret,
    .templateNotAllowed, .templateSecretNotAllowed, .templateSecretInURL, .templateUnsetVariable,
    .templateUnsetSecret, .templateUnsetEnvironment, .templateControlCharacter,
    .expressionSyntax, .expressionName, .expressionType, .expressionMissing, .expressionValue,
  ]
}

extension DiagnosticCatalogue {
  /// The entries of all codes for flow files, schema files and templates.
  package static var flowEntries: [Entry] { FlowCode.allCases.map(\.entry) }
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
