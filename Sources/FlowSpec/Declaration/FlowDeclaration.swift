public import Expressions
public import FlowTerms
public import JSONSyntax
public import SourceDiagnostics

/// One flow as its file declares it.
///
/// File-level defaults are already applied. All templates are unresolved.
public struct FlowDeclaration: Sendable {
  /// The id of the flow, `file-stem.flow-name`, which is unique in a run.
  public var id: String
  /// The flow's key in its file.
  public var name: String
  /// The source location of the flow's key.
  public var range: SourceRange
  /// The file that contains the flow, with its variables and secrets.
  public var file: FileDeclaration
  /// The purpose of the flow, for readers.
  public var description: String?
  /// Labels for selecting flows, in order, without duplicates.
  public var tags: [String] = []
  /// The condition on variables under which the flow runs; nil if it always does.
  public var when: Located<Expression>?
  /// The request to the server.
  public var request: RequestDeclaration
  /// The authorization of requests: the flow's `auth`, else the `auth` of `http`. Nil if both are absent.
  public var auth: Located<AuthDeclaration>?
  /// The parents, for each record of which a request is sent; nil means a single request.
  public var each: EachDeclaration?
  /// The groups of fields, for each of which a request is sent; nil if one request has them all.
  public var fieldGroups: FieldGroupsDeclaration?
  /// The format of the response; nil for one JSON document.
  public var decode: ResponseFormat?
  /// The path to the records in the response; nil means the whole response.
  public var records: Located<JSONPath>?
  /// The schema that maps records; nil leaves each record as received.
  public var schema: SchemaDeclaration?
  /// The other operations on records.
  public var mapping = MappingDeclaration()
  /// Whether bad records are dropped. If false, a bad record fails the flow.
  public var prune: Bool = true
  /// Whether the host is probed before the request is sent.
  public var reachability: Bool = true
  /// Whether the flow ends only after its result is saved.
  public var wait: Bool = true
  /// The location of the persisted result; nil if persistence is disabled.
  public var persistence: PersistenceDeclaration?
  /// Whether the request for an expired result sends the validators of the previous response.
  public var conditional: Bool = true
  /// The place of rejected records, a file of JSON Lines or a table. If it is nil, they are only reported.
  public var rejected: PersistenceDeclaration.Target?
  /// The conditions that the result must meet.
  public var expect = ExpectDeclaration()
  /// How the pages of a response are requested; nil means a single page.
  public var pages: PagesDeclaration?
  /// Whether the flow declares `pages: none`: only one page is requested, even if the response announces another page.
  public var isOnePageMeant: Bool = false
  /// The cursor for requesting only new records. If it is nil, each run requests all records.
  public var cursor: CursorDeclaration?
  /// The request of the first run; nil if it is like that of every other run.
  public var firstRun: FirstRunDeclaration?
  /// The job that the request creates, and whose result has the records; nil if the response has them.
  public var job: JobDeclaration?
  /// Where each response is stored as a file; nil if responses have records.
  public var download: DownloadDeclaration?
  /// The maximum time of the flow, in seconds, if declared.
  public var deadline: Located<Double>?
  /// Which failed requests are sent again, and when.
  public var retry = RetryDeclaration()
  /// Rules for error responses. The first matching rule is used.
  public var errors: [ErrorRuleDeclaration] = []
  /// The limit on the rate of requests to the host.
  public var rate = RateDeclaration()
  /// The maximum duration of a request, from the connection to the last byte, in seconds.
  public var timeout: Located<Double>
  /// The maximum size of a decoded response, in bytes.
  public var maxBytes: Int = 2 << 30
  /// Which redirects are followed.
  public var redirects = RedirectDeclaration.sameOrigin
  /// The servers to which connections are allowed; nil means all except link-local addresses.
  public var allow: [AllowDeclaration]?
  /// A file of trusted certificates, which replace the system's certificates.
  ///
  /// The path already includes the flow file's folder.
  public var caFile: Located<String>?
  /// The certificate that the client shows to the server; nil for none.
  public var clientCertificate: ClientCertificateDeclaration?
  /// The rules for comparisons with recordings and goldens.
  public var fixture = FixtureDeclaration()
  /// The proxy that replaces the proxy of the environment; nil uses the environment's.
  public var proxy: ProxyDeclaration?
  /// Whether equal requests of a run share a response.
  public var sharesResponses = false

  /// Creates a flow with only the required properties.
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

  /// Whether the flow sends exactly one request.
  public var isOneRequest: Bool {
    pages == nil && each == nil && cursor?.slice == nil && cursor?.cap == nil && job == nil && fieldGroups == nil
  }
}

/// The declarations of a flow file that all its flows share, such as the names that templates may use.
public struct FileDeclaration: Sendable {
  /// The path as the user wrote it.
  public var path: String
  /// The path's last component without `.yaml`, `.yml` and `.flow`. It is the first part of every flow's id.
  public var stem: String
  /// The purpose of the file, for readers.
  public var description: String?
  /// The variables, in the order written.
  public var variables: [VariableDeclaration]
  /// The names of the secrets, in the order written.
  public var secrets: [Located<String>]
  /// The databases into which flows of the file load, in the order written.
  public var stores: [StoreDeclaration] = []
  /// The variables that one item of a `for` gives to its flow, as text; nil for a flow without `for`.
  public var item: String?

  /// Identifies the values of names: those of a file, or of one item in it.
  package var scopeKey: String { item.map { "\(path)\u{0}\($0)" } ?? path }
}

/// A typed value that the file declares and the command line may replace.
public struct VariableDeclaration: Sendable {
  /// The name, which templates write after `vars.`.
  public var name: Located<String>
  /// The type as which the variable's text is read.
  public var type: VariableType
  /// The value that is used if none is given. If it is nil, a value must be given.
  public var defaultValue: VariableValue?
  /// The purpose of the variable, for readers.
  public var description: String?
  /// The template that gives the value from the variables before this one; nil if it is not computed.
  public var computed: Located<Template>?
  /// The condition that each value satisfies, over `value`; nil if every value of the type is allowed.
  public var condition: Located<Expression>?
  /// Whether an item of a `for` gives the value, so that nothing else can.
  var isItem = false
}
