public import SourceDiagnostics

/// Every kind of problem that flow and schema files can have.
public enum FlowCode: String, Sendable, Hashable, CaseIterable {
  // Keys and shapes
  case unknownKey = "flow.unknown-key"
  case unsupportedKey = "flow.unsupported-key"
  case misplacedKey = "flow.misplaced-key"
  case missingKey = "flow.missing-key"
  case missingValue = "flow.missing-value"
  case wrongKind = "flow.wrong-kind"
  case unsupportedVersion = "flow.unsupported-version"
  // Values
  case invalidName = "flow.invalid-name"
  case invalidBoolean = "flow.invalid-boolean"
  case invalidInteger = "flow.invalid-integer"
  case invalidDuration = "flow.invalid-duration"
  case invalidSize = "flow.invalid-size"
  case invalidRate = "flow.invalid-rate"
  case outOfRange = "flow.out-of-range"
  case unknownValue = "flow.unknown-value"
  case unknownType = "flow.unknown-type"
  case invalidPath = "flow.invalid-path"
  case controlCharacter = "flow.control-character"
  case duplicateItem = "flow.duplicate-item"
  case variableDefault = "flow.variable-default"
  // Requests
  case invalidURL = "flow.invalid-url"
  case invalidAddress = "flow.invalid-address"
  case missingBaseURL = "flow.missing-base-url"
  case invalidRequestPath = "flow.invalid-request-path"
  case unknownParameter = "flow.unknown-parameter"
  case invalidHeader = "flow.invalid-header"
  case reservedHeader = "flow.reserved-header"
  case bodyNotAllowed = "flow.body-not-allowed"
  case bodyForm = "flow.body-form"
  case sentRecords = "sending.records"
  case sentField = "sending.field"
  case idempotencyKey = "sending.idempotency"
  case eachBatch = "sending.batch"
  // Authorization
  case authForm = "flow.auth-form"
  case authConflict = "flow.auth-conflict"
  case authBody = "flow.auth-body"
  case authValue = "flow.auth-value"
  case plainCredential = "flow.plain-credential"
  // Results
  case invalidOutput = "flow.invalid-output"
  case invalidStatus = "flow.invalid-status"
  case impossibleExpectation = "flow.impossible-expectation"
  case invalidProgram = "reshape.syntax"
  case mergeWithoutKey = "flow.merge-without-key"
  // Pages
  case misplacedPagesKey = "pages.misplaced-key"
  case incompletePages = "pages.incomplete"
  // Asking only for what is new
  case cursorField = "cursor.field"
  case cursorBounds = "cursor.bounds"
  case cursorPersistence = "cursor.persistence"
  // Between flows and files
  case unknownSchema = "flow.unknown-schema"
  case unknownFlow = "flow.unknown-flow"
  case flowCycle = "flow.cycle"
  case eachSource = "flow.each-source"
  case eachChanged = "flow.each-changed"
  case duplicateFlow = "flow.duplicate-flow"
  case duplicateOutput = "flow.duplicate-output"
  case unreadableFile = "flow.unreadable-file"
  case overrideUnknown = "flow.override-unknown"
  case overrideValue = "flow.override-value"
  // Schemas
  case duplicateSchema = "schema.duplicate-name"
  case recursion = "schema.recursion"
  case tooLarge = "schema.too-large"
  case noFields = "schema.no-fields"
  case unknownField = "schema.unknown-field"
  case incompleteType = "schema.incomplete-type"
  case misplacedOption = "schema.misplaced-option"
  case contradiction = "schema.contradiction"
  case duplicateValue = "schema.duplicate-value"
  case invalidFormat = "schema.invalid-format"
  case computedCycle = "schema.computed-cycle"
  case nestedValue = "schema.nested-value"
  case invalidDefault = "schema.invalid-default"
  // Templates
  case templateUnclosed = "template.unclosed"
  case templateEmpty = "template.empty"
  case expressionSyntax = "expression.syntax"
  case expressionName = "expression.unknown-name"
  case expressionType = "expression.type"
  case expressionMissing = "expression.may-be-missing"
  case expressionValue = "expression.value"
  case templateUnknownRoot = "template.unknown-root"
  case templateUnknownVariable = "template.unknown-variable"
  case templateUnknownSecret = "template.unknown-secret"
  case templateNotAllowed = "template.not-allowed"
  case templateSecretNotAllowed = "template.secret-not-allowed"
  case templateSecretInURL = "template.secret-in-url"
  case templateUnsetVariable = "template.unset-variable"
  case templateUnsetSecret = "template.unset-secret"
  case templateUnsetEnvironment = "template.unset-environment"
  case templateControlCharacter = "template.control-character"

  /// The code as diagnostics carry it.
  public var code: DiagnosticCode { DiagnosticCode(rawValue: rawValue) }

  /// How bad it is.
  public var severity: Diagnostic.Severity {
    switch self {
    case .templateSecretInURL, .plainCredential: .warning
    default: .error
    }
  }
}

extension Diagnostic {
  /// A problem of a code's severity, with `did you mean` as help and a replacement as fix-it where one was meant.
  init(
    _ code: FlowCode, _ message: String, at range: SourceRange?, meant: String? = nil, notes: [Note] = [],
    help: String? = nil, fixIts: [FixIt] = []
  ) {
    var fixIts = fixIts
    if let meant, let range { fixIts.append(FixIt("replace it with '\(meant)'", replacing: range, with: meant)) }
    self.init(
      code.severity, code.code, message, at: range, notes: notes, help: meant.map { "did you mean '\($0)'?" } ?? help,
      fixIts: fixIts)
  }
}
