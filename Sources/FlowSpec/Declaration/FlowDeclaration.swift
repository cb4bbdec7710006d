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
  /// The file it belongs to: its variables and secrets.
  public var file: FileDeclaration
  /// What it is for.
  public var description: String?
  /// Labels for selection, in order, each once.
  public var tags: [String] = []
  /// What is asked of the server.
  public var request: RequestDeclaration
  /// How requests are authorized: the flow's own `auth`, else that of `http`; nil when neither says anything.
  public var auth: Located<AuthDeclaration>?
  /// What there is one request for each of; nil means a single request.
  public var each: EachDeclaration?
  /// Where the records are in the response; nil means the whole response.
  public var records: Located<JSONPath>?
  /// How records are mapped; nil keeps each record as it came.
  public var schema: SchemaDeclaration?
  /// What else is done with the records.
  public var mapping = MappingDeclaration()
  /// Whether bad records are dropped (true) or fail the flow (false).
  public var prune: Bool = true
  /// Whether the host is probed before the request.
  public var reachability: Bool = true
  /// Whether the flow ends only when its result is saved.
  public var wait: Bool = true
  /// Where the result is kept; nil when persistence is disabled.
  public var persistence: PersistenceDeclaration?
  /// Whether an expired result is asked for with the validators of its response.
  public var conditional: Bool = true
  /// Where records that do not fit are kept, relative to the output root; nil when they are only reported.
  public var rejected: Located<Template>?
  /// What the result must satisfy.
  public var expect = ExpectDeclaration()
  /// How a response in several pages is asked for; nil for one page.
  public var pages: PagesDeclaration?
  /// Whether one page is enough, even where the response tells of another one (`pages: none`).
  public var isOnePageMeant: Bool = false
  /// How only what is new is asked for; nil asks for everything each time.
  public var cursor: CursorDeclaration?
  /// The longest the whole flow may take, in seconds, where its file says so.
  public var deadline: Located<Double>?
  /// Which requests are sent again.
  public var retry = RetryDeclaration()
  /// What is done about responses that are errors; the first rule that applies counts.
  public var errors: [ErrorRuleDeclaration] = []
  /// How fast the host may be asked.
  public var rate = RateDeclaration()
  /// The longest the flow's request may take, from the connection to the last byte, in seconds.
  public var timeout: Located<Double>
  /// The largest decoded answer, in bytes.
  public var maxBytes: Int = 2 << 30
  /// Which redirects are followed.
  public var redirects = RedirectDeclaration.sameOrigin
  /// What alone may be connected to; nil means everything but link-local addresses.
  public var allow: [AllowDeclaration]?
  /// A file of certificates to trust instead of the system's, already joined to the flow file's folder.
  public var caFile: Located<String>?
  /// How its recordings and goldens are compared.
  public var fixture = FixtureDeclaration()
  /// The proxy to use instead of the environment's.
  public var proxy: ProxyDeclaration?

  /// A flow with what every flow has; all else is left out.
  init(
    id: String, name: String, range: SourceRange, file: FileDeclaration, request: RequestDeclaration,
    timeout: Located<Double>
  ) {
    self.id = id
    self.name = name
    self.range = range
    self.file = file
    self.request = request
    self.timeout = timeout
  }

  /// Whether it asks once, whatever the response.
  public var isOneRequest: Bool { pages == nil && each == nil && cursor?.slice == nil }
}
