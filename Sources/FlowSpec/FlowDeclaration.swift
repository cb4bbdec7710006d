public import JSONSyntax
public import SourceDiagnostics

/// One flow as its file declares it, with file-level defaults already applied and every template still unresolved.
public struct FlowDeclaration: Sendable {
  /// `file-stem.flow-name`, unique in a run.
  public var id: String
  /// The flow's key in its file.
  public var name: String
  /// Where the flow's key stands.
  public var range: SourceRange
  /// What it is for.
  public var description: String?
  /// Labels for selection, in order.
  public var tags: [String]
  /// What is asked of the server.
  public var request: RequestDeclaration
  /// Where the records are in the answer; nil means the whole answer.
  public var records: Located<JSONPath>?
  /// How records are mapped; nil keeps each record as it came.
  public var schema: SchemaDeclaration?
  /// Whether bad records are dropped (true) or fail the flow (false).
  public var prune: Bool
  /// Whether the host is probed before the request.
  public var reachability: Bool
  /// Whether the flow ends only when its result is saved.
  public var wait: Bool
  /// Where the result is kept; nil when persistence is disabled.
  public var persistence: PersistenceDeclaration?
  /// What the result must satisfy.
  public var expect: ExpectDeclaration
  /// The longest the whole flow's request may take, in seconds.
  public var timeout: Located<Double>
  /// The largest decoded answer, in bytes.
  public var maxBytes: Int
}

/// A value and the stretch of text that declared it.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// Where it was written.
  public var range: SourceRange

  /// Builds a located value.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

/// What is asked of the server, with templates.
public struct RequestDeclaration: Sendable {
  /// The request method in upper case.
  public var method: String
  /// `http.base_url`.
  public var baseURL: Located<Template>
  /// The path, relative to the base URL.
  public var path: Located<Template>
  /// Query parameters in order.
  public var query: [NamedTemplate]
  /// Headers in order: the file's, then the flow's own.
  public var headers: [NamedTemplate]
  /// The body, if any.
  public var body: BodyDeclaration?
}

/// A name with a templated value.
public struct NamedTemplate: Sendable {
  /// The parameter or header name.
  public var name: Located<String>
  /// Its value.
  public var value: Located<Template>
}

/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)
}

/// JSON whose strings may be templates; a string that is one whole template keeps the type of its value.
public indirect enum TemplatedJSON: Sendable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template.
  case template(Template)
  /// A list.
  case array([TemplatedJSON])
  /// Members in order.
  case object([(name: String, value: TemplatedJSON)])
}

/// Text with `{{ … }}` in it, parsed; names are checked against what the file declares.
public struct Template: Sendable, Hashable {
  /// A piece of a template.
  public enum Segment: Sendable, Hashable {
    /// Text as it is.
    case text(String)
    /// `vars.NAME`
    case variable(String)
    /// `secrets.NAME`
    case secret(String)
    /// `env.NAME`
    case environment(String)
  }

  /// The pieces in order.
  public var segments: [Segment]

  /// Builds a template.
  public init(_ segments: [Segment]) { self.segments = segments }
}

/// Where and how a flow's result is kept.
public struct PersistenceDeclaration: Sendable {
  /// The output path, relative to the root; its extension names the format.
  public var path: Located<Template>
  /// How long a result may be used, in seconds; nil means for ever.
  public var expiresAfter: Located<Double>?
  /// Whether a failed save fails the flow.
  public var failOnSaveError: Bool
}

/// What a result must satisfy for the flow to pass.
public struct ExpectDeclaration: Sendable {
  /// Least number of records.
  public var min: Located<Int>?
  /// Greatest number of records.
  public var max: Located<Int>?
  /// Where the answer tells the number of records it should hold.
  public var total: Located<JSONPath>?
  /// Greatest number of records that may be pruned.
  public var maxRejected: Located<Int>?
  /// Statuses taken as success, instead of 200–299.
  public var status: [ClosedRange<Int>]

  /// Expects nothing but success.
  public init() { status = [] }
}

/// A run-time schema as declared.
public struct SchemaDeclaration: Sendable {
  /// The schema's name, or the flow's for an inline one.
  public var name: String
  /// Where it was written.
  public var range: SourceRange
  /// The fields that identify a record, if any.
  public var key: [Located<String>]
  /// The fields in order.
  public var fields: [FieldDeclaration]
}

/// One field of a schema.
public struct FieldDeclaration: Sendable {
  /// The field's name in the record.
  public var name: String
  /// Where the field's key stands.
  public var range: SourceRange
  /// Where its value is, relative to the record; default `$.name`.
  public var from: Located<JSONPath>
  /// Its type.
  public var type: TypeDeclaration
  /// What happens when it is absent or null.
  public var missing: MissingDeclaration
}

/// A field's type.
public indirect enum TypeDeclaration: Sendable {
  case string, integer, number, decimal, boolean, date, duration, uuid, url, bytes, json
  /// With the input format: nil for ISO 8601, else `epoch_s`, `epoch_ms` or a strptime pattern.
  case timestamp(format: Located<String>?)
  /// One of the listed texts.
  case enumeration([String])
  /// A list of one type.
  case list(TypeDeclaration)
  /// An object with its own fields.
  case object([FieldDeclaration])
}

/// What happens to a field that is absent or null.
public enum MissingDeclaration: Sendable {
  /// The record is bad.
  case required
  /// The field is null.
  case optional
  /// The field takes this value, which fits its type.
  case `default`(Located<JSONValue>)
}
