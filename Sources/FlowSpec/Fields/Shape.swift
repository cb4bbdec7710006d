import Expressions
import FieldTypes
internal import FlowModel
import JSONSyntax
import YAMLSyntax

/// The allowed values of a key, and the function that reads them.
///
/// If a value has an error, the function reports the error and returns nil.
struct Shape<Value>: Sendable {
  /// The allowed values, for descriptions in words and in JSON Schema.
  let kind: ValueKind
  /// Whether templates (`{{ … }}`) in the value are resolved.
  let isTemplated: Bool
  /// Reads the value of a key; returns nil after an error was reported.
  let read: @Sendable (inout FlowReader, FieldValue) -> Value?

  init(
    _ kind: ValueKind, isTemplated: Bool = false, read: @escaping @Sendable (inout FlowReader, FieldValue) -> Value?
  ) {
    self.kind = kind
    self.isTemplated = isTemplated
    self.read = read
  }
}

extension Shape {
  /// A value that is not read here, because its construct reads it together with other keys.
  static func whole(_ kind: ValueKind, isTemplated: Bool = false) -> Shape<FieldValue> {
    Shape<FieldValue>(kind, isTemplated: isTemplated) { $1 }
  }

  /// A mapping with its own table of keys, or its short form.
  static func construct(
    _ name: ConstructName, _ read: @escaping @Sendable (inout FlowReader, FieldValue) -> Value?
  ) -> Shape { Shape(.construct(name)) { reader, value in value.node.isNull ? nil : read(&reader, value) } }

  /// Reads a value with another shape and converts the result.
  static func converted<Other>(_ shape: Shape<Other>, _ convert: @escaping @Sendable (Other) -> Value) -> Shape {
    Shape(shape.kind, isTemplated: shape.isTemplated) { shape.read(&$0, $1).map(convert) }
  }

  /// One of the raw values of an enumeration.
  static func choice(of type: Value.Type) -> Shape
  where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    let words = Value.allCases.map(\.rawValue)
    return Shape(.choice(words)) { $0.choice($1, words).flatMap(Value.init(rawValue:)) }
  }

  /// A list whose elements have one shape. Elements with errors are left out.
  static func list<Element>(of element: Shape<Element>) -> Shape where Value == [Element] {
    Shape(.list(element.kind), isTemplated: element.isTemplated) { reader, value in
      reader.elements(of: value).map { $0.compactMap { element.read(&reader, $0) } }
    }
  }

  /// A single value, or a list of such values.
  static func oneOrMore<Element>(of element: Shape<Element>) -> Shape where Value == [Element] {
    Shape(.oneOrMore(element.kind), isTemplated: element.isTemplated) { reader, value in
      reader.oneOrMore(of: value).map { $0.compactMap { element.read(&reader, $0) } }
    }
  }
}

/// Shapes of single values.
extension Shape {
  /// Text as written, of any number of lines.
  static var freeText: Shape<String> { .init(.text) { $0.freeText($1) } }
  static var text: Shape<String> { .init(.text) { $0.text($1) } }
  static func name(_ role: NameRole) -> Shape<Located<String>> { .init(.name(role)) { $0.name($1, role: role) } }
  static var boolean: Shape<Bool> { .init(.boolean) { $0.boolean($1) } }
  static func integer(_ bounds: ClosedRange<Int>) -> Shape<Located<Int>> {
    .init(.integer(bounds)) { $0.integer($1, in: bounds) }
  }
  static func duration(_ bounds: ClosedRange<Double>) -> Shape<Located<Double>> {
    .init(.duration(bounds)) { $0.duration($1, in: bounds) }
  }
  static var size: Shape<Int> { .init(.size) { $0.value($1, SizeText.bytes, .invalidSize, "a size") } }
  static var countOrShare: Shape<CountOrShare> {
    .init(.countOrShare) { $0.value($1, CountOrShare.init(parsing:), .invalidInteger, "a number or a share") }
  }
  static func choice(_ words: [String]) -> Shape<String> { .init(.choice(words)) { $0.choice($1, words) } }
  static var jsonPath: Shape<Located<JSONPath>> { .init(.jsonPath) { $0.jsonPath($1) } }
  /// A location in a response: a JSONPath in the body, or a header.
  static var responseLocation: Shape<Located<ResponseLocation>> { .init(.responseLocation) { $0.responseLocation($1) } }
  /// A JSONPath that consists only of member names.
  static func memberPath(example: String) -> Shape<[JSONPath.Step]> {
    .init(.jsonPath) { $0.memberPath($1, example: example) }
  }
  /// An expression whose value is a boolean.
  static var condition: Shape<Located<Expression>> { .expression(.bool) }
  static func expression(_ type: ExpressionType) -> Shape<Located<Expression>> {
    .init(.expression) { $0.expression($1, of: type) }
  }
  /// A list of names without duplicates.
  static func names(_ role: NameRole) -> Shape<[Located<String>]> {
    .init(.list(.name(role))) { reader, value in reader.elements(of: value).map { reader.names($0, role: role) } }
  }
  /// A list of the names of secrets, or a mapping of names to sources. Flow files do not contain values of secrets.
  static var secrets: Shape<[DeclaredSecret]> {
    .init(.namesOrMap(.secret, .construct(.secret))) { SecretKeys.secrets(&$0, $1) }
  }
}

/// Shapes of values that may contain templates.
extension Shape {
  /// An integer within bounds, or a template of variables.
  static func integerSetting(_ bounds: ClosedRange<Int>) -> Shape<Setting<Int>> {
    .init(.setting(.integer(bounds)), isTemplated: true) { reader, value in
      reader.setting(value) { (text) throws(SettingError) in
        try SettingText.integer(text, in: bounds, for: value.spec.name)
      }
    }
  }
  /// A wait in seconds, or a template of variables.
  static var waitSetting: Shape<Setting<Double>> {
    .init(.setting(.duration(Retry.waits)), isTemplated: true) { reader, value in
      reader.setting(value) { (text) throws(SettingError) in try SettingText.wait(text, for: value.spec.name) }
    }
  }
  /// Text of any number of lines.
  static var template: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.template($1) } }
  /// Text of one line.
  static var line: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.lineTemplate($1) } }
  /// Text of one line that is not empty.
  static var filledLine: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.filled($1) } }
  /// A credential. The file should not contain it as plain text.
  static func credential(mayBeEmpty: Bool = false) -> Shape<Located<Template>> {
    .init(.text, isTemplated: true) { $0.credential($1, mayBeEmpty: mayBeEmpty) }
  }
  /// A key of one or more lines. The file should not contain it as plain text.
  static var key: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.key($1) } }
  static var url: Shape<Located<Template>> {
    .init(.url(orWords: []), isTemplated: true) { $0.url($1, check: BaseURLText.check) }
  }
  static var requestPath: Shape<Located<Template>> { .init(.requestPath, isTemplated: true) { $0.requestPath($1) } }
  static var outputPath: Shape<Located<Template>> { .init(.outputPath, isTemplated: true) { $0.outputPath($1) } }
  /// The value of a variable, which may be an expression that gives a list.
  static var variableValue: Shape<Located<Template>> { .init(.oneOrMore(.text), isTemplated: true) { $0.filled($1) } }
  static var storeReference: Shape<Located<String>> { .init(.name(.variable)) { $0.storeReference($1) } }
  static var sqlQuery: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.sqlQuery($1) } }
  static var tableName: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.tableName($1) } }
  static var databasePath: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.databasePath($1) } }
  static var databaseURL: Shape<Located<Template>> { .init(.text, isTemplated: true) { $0.databaseURL($1) } }
  static var receivedFilePath: Shape<Located<Template>> {
    .init(.text, isTemplated: true) { $0.receivedFilePath($1) }
  }
  static var rejectedPath: Shape<Located<Template>> { .init(.outputPath, isTemplated: true) { $0.rejectedPath($1) } }
  /// Values by name. If the kind allows a list as a value, its elements become entries with the same name.
  static func templates(_ role: NameRole, _ kind: ValueKind) -> Shape<[NamedTemplate]> {
    .init(.map(role, kind), isTemplated: true) { $0.namedTemplates($1, role: role) }
  }
  static var headers: Shape<[NamedTemplate]> { .init(.map(.header, .text), isTemplated: true) { $0.headers($1) } }
  /// Name-value pairs of a form. Values may have several lines.
  static var form: Shape<[NamedTemplate]> {
    .init(.map(.parameter, .oneOrMore(.text)), isTemplated: true) {
      $0.namedTemplates($1, role: .parameter, lines: true)
    }
  }
  static var templatedJSON: Shape<Located<TemplatedJSON>> {
    .init(.json, isTemplated: true) { reader, value in
      reader.wholeJSON(value)
    }
  }
  /// A JSON document that is an object.
  static func jsonMapping(example: String) -> Shape<Located<TemplatedJSON>> {
    .init(.json, isTemplated: true) { $0.jsonMapping($1, example: example) }
  }
  /// JSON documents by name.
  static var namedJSON: Shape<[(name: Located<String>, value: Located<TemplatedJSON>)]> {
    .init(.map(.field, .json), isTemplated: true) { $0.namedJSON($1) }
  }
}

/// Shapes that only one construct uses.
extension Shape {
  static var authHeader: Shape<String> { .init(.name(.header)) { $0.authHeader($1) } }
  static var idempotencyHeader: Shape<Located<String>> { .init(.name(.header)) { $0.idempotencyHeader($1) } }
  static var expiry: Shape<LoginExpiry> { .init(.durationOrPath) { $0.expiry($1) } }
  /// A duration within bounds, or the word `never`.
  static func lifetime(_ bounds: ClosedRange<Double>) -> Shape<Lifetime> {
    .init(.durationOr(["never"], bounds)) { reader, value in
      if case .scalar(let scalar) = value.node.content, scalar.text == "never" { return .unlimited }
      return reader.duration(value, in: bounds).map { .seconds($0.value) }
    }
  }
  static var allow: Shape<[Transfer.Destination]> { .init(.list(.hostOrNetwork)) { $0.allow($1) } }
  /// The path of a file, relative to the flow file.
  static var filePath: Shape<String> { .init(.text) { $0.filePath($1) } }
  static var proxy: Shape<Transfer.Proxy> { .init(.url(orWords: ["none"]), isTemplated: true) { $0.proxy($1) } }
  static var variableType: Shape<VariableType> {
    .init(.choice(VariableType.allCases.map(\.rawValue))) { $0.variableType($1) }
  }
  static var cursorEnd: Shape<Cursor.End> { .init(.text, isTemplated: true) { $0.cursorEnd($1) } }
  static var zoneName: Shape<Located<String>> { .init(.text) { $0.zoneName($1) } }
  static var boundFormat: Shape<Located<String>> { .init(.text) { $0.boundFormat($1) } }
  /// One format of timestamps, or several.
  static var timeFormats: Shape<TimestampFormat> { .init(.oneOrMore(.text)) { $0.timeFormats($1) } }
  static var flowReference: Shape<Located<String>> { .init(.flowReference) { $0.flowReference($1) } }
  static func schemaReference(named name: String) -> Shape<SchemaDeclaration> {
    .init(.schemaReference) { $0.schema($1, named: name) }
  }
  static var encodableSchema: Shape<SchemaDeclaration> { .init(.schemaReference) { $0.encodable($1) } }
  static var eachValues: Shape<EachSource> {
    .init(.oneOrMore(.text), isTemplated: true) { $0.valueSource($1) }
  }
  static var eachOnly: Shape<EachOnly> { .init(.choiceOrMap(["changed"], .field, .expression)) { $0.only($1) } }
  static var parentName: Shape<Located<String>> { .init(.name(.variable)) { $0.parentName($1) } }
  static var errorRules: Shape<[ErrorRule]> { .init(.list(.construct(.errorRule))) { $0.errorRules($1) } }
  static var statuses: Shape<[ClosedRange<Int>]> { .init(.oneOrMore(.status)) { $0.statuses($1) } }
  static var retryReasons: Shape<(statuses: [ClosedRange<Int>], causes: [Retry.Cause])> {
    .init(.list(.statusOr(Retry.Cause.allCases.map(\.rawValue)))) { $0.retryReasons($1) }
  }
  /// One rate, or several with different times.
  static var rates: Shape<[Setting<Rate.Limit>]> {
    .init(.oneOrMore(.setting(.rate)), isTemplated: true) { $0.rates($1) }
  }
  static var rateBudgets: Shape<[Rate.Budget]> {
    .init(.list(.construct(.rateBudget))) { $0.rateBudgets($1) }
  }
  static var rateMethods: Shape<[String]> { .init(.list(.choice(ResourceKeys.methods))) { $0.rateMethods($1) } }
  /// One pattern of request paths, or several.
  static var pathPatterns: Shape<[String]> { .init(.oneOrMore(.text)) { $0.pathPatterns($1) } }
  static var masks: Shape<[(path: Located<JSONPath>, rule: String)]> { .init(.map(.path, .text)) { $0.masks($1) } }
  static var program: Shape<MappingDeclaration.Program> { .init(.program) { $0.program($1, isForEach: true) } }
  static var renames: Shape<[(path: Located<JSONPath>, steps: [JSONPath.Step], name: String)]> {
    .init(.map(.path, .name(.field))) { $0.renames($1) }
  }
  static var removedPath: Shape<Located<JSONPath>> { .init(.jsonPath) { $0.removedPath($1) } }
  static var recordsPath: Shape<(path: Located<JSONPath>?, template: Located<Template>?)> {
    .init(.jsonPath, isTemplated: true) { $0.recordsPath($1) }
  }
  static var computed: Shape<ComputedValue> { .init(.text, isTemplated: true) { $0.computedValue($1) } }
  static var type: Shape<WrittenType> { .init(.type) { $0.writtenType($1) } }
  static var enumeration: Shape<RawSchema.Kind> { .init(.list(.text)) { $0.enumeration($1) } }
  static var fields: Shape<[RawSchema.Field]> { .init(.map(.field, .construct(.field))) { $0.fields($1) } }
}
