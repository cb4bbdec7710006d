public import JSONSyntax
public import SourceDiagnostics

/// One flow as its file declares it, with file-level defaults already applied and every template still unresolved.
public struct FlowDeclaration: Sendable {
  /// `file-stem.flow-name`, unique in a run.
  public var id: String
  /// The flow's key in its file.
  public var name: String
  /// The source location of the flow's key.
  public var range: SourceRange
  /// The file it belongs to: its variables and secrets.
  public var file: FileDeclaration
  /// What it is for.
  public var description: String?
  /// Labels for selection, in order, each once.
  public var tags: [String] = []
  /// The request to the server.
  public var request: RequestDeclaration
  /// How requests are authorized: the flow's `auth`, else that of `http`; nil without both.
  public var auth: Located<AuthDeclaration>?
  /// The sources of one request for each record; nil means a single request.
  public var each: EachDeclaration?
  /// Where the records are in the response; nil means the whole response.
  public var records: Located<JSONPath>?
  /// How records are mapped; nil leaves each record as received.
  public var schema: SchemaDeclaration?
  /// Other operations on the records.
  public var mapping = MappingDeclaration()
  /// Whether bad records are dropped (true) or fail the flow (false).
  public var prune: Bool = true
  /// Whether the host is probed before the request.
  public var reachability: Bool = true
  /// Whether the flow ends only when its result is saved.
  public var wait: Bool = true
  /// Where the result is persisted; nil if persistence is disabled.
  public var persistence: PersistenceDeclaration?
  /// Whether an expired result is requested with the validators of its response.
  public var conditional: Bool = true
  /// The file of rejected records, relative to the output root; nil if they are only reported.
  public var rejected: Located<Template>?
  /// Conditions on the result.
  public var expect = ExpectDeclaration()
  /// How the pages of a response are requested; nil for one page.
  public var pages: PagesDeclaration?
  /// Whether one page is enough, even if the response announces another one (`pages: none`).
  public var isOnePageMeant: Bool = false
  /// How only new records are requested; nil requests everything each time.
  public var cursor: CursorDeclaration?
  /// The maximum time of the flow, in seconds, if declared.
  public var deadline: Located<Double>?
  /// Which requests are sent again.
  public var retry = RetryDeclaration()
  /// How responses that are errors are handled; the first matching rule is used.
  public var errors: [ErrorRuleDeclaration] = []
  /// The limit on the rate of requests to the host.
  public var rate = RateDeclaration()
  /// The maximum time of a request, from the connection to the last byte, in seconds.
  public var timeout: Located<Double>
  /// The maximum size of a decoded response, in bytes.
  public var maxBytes: Int = 2 << 30
  /// Which redirects are followed.
  public var redirects = RedirectDeclaration.sameOrigin
  /// The servers that may be connected to; nil means all except link-local addresses.
  public var allow: [AllowDeclaration]?
  /// A file of certificates to trust instead of the system's, already joined to the flow file's folder.
  public var caFile: Located<String>?
  /// How its recordings and goldens are compared.
  public var fixture = FixtureDeclaration()
  /// The proxy to use instead of the environment's.
  public var proxy: ProxyDeclaration?

  /// A flow with the required parts alone.
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

  /// Whether it sends exactly one request.
  public var isOneRequest: Bool { pages == nil && each == nil && cursor?.slice == nil }
}

/// What a flow file declares for all its flows: the names that their templates may use.
public struct FileDeclaration: Sendable {
  /// The path as the user named it.
  public var path: String
  /// The path's last component without `.yaml`, `.yml` and `.flow`: the first part of every flow's id.
  public var stem: String
  /// What the file is for.
  public var description: String?
  /// Variables in the order written.
  public var variables: [VariableDeclaration]
  /// Names of secrets in the order written.
  public var secrets: [Located<String>]
}

/// A variable: a typed value that the file gives and the command line may replace.
public struct VariableDeclaration: Sendable {
  /// Its name, as templates use it after `vars.`.
  public var name: Located<String>
  /// How its text is read.
  public var type: VariableType
  /// Its value when nothing replaces it; nil means that one must be given.
  public var defaultValue: VariableValue?
  /// What it is for.
  public var description: String?
}
