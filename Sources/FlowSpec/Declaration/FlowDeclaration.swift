public import JSONSyntax
public import SourceDiagnostics

/// One flow as its file declares it, with file-level defaults already applied and every template still unresolved.
///
/// A class, because thousands of them are passed from hand to hand, and each has some thirty fields.
public final class FlowDeclaration: Sendable {
  /// `file-stem.flow-name`, unique in a run.
  public let id: String
  /// The flow's key in its file.
  public let name: String
  /// Where the flow's key stands.
  public let range: SourceRange
  /// The file it belongs to: its variables and secrets.
  public let file: FileDeclaration
  /// What it is for.
  public let description: String?
  /// Labels for selection, in order, each once.
  public let tags: [String]
  /// What is asked of the server.
  public let request: RequestDeclaration
  /// How requests are authorized: the flow's own `auth`, else that of `http`; nil when neither says anything.
  public var auth: Located<AuthDeclaration>? { rare?.auth }
  /// What there is one request for each of; nil means a single request.
  public var each: EachDeclaration? { rare?.each }
  /// Where the records are in the answer; nil means the whole answer.
  public let records: Located<JSONPath>?
  /// How records are mapped; nil keeps each record as it came.
  public let schema: SchemaDeclaration?
  /// What else is done with the records.
  public let mapping: MappingDeclaration
  /// Whether bad records are dropped (true) or fail the flow (false).
  public let prune: Bool
  /// Whether the host is probed before the request.
  public let reachability: Bool
  /// Whether the flow ends only when its result is saved.
  public let wait: Bool
  /// Where the result is kept; nil when persistence is disabled.
  public let persistence: PersistenceDeclaration?
  /// Whether an expired result is asked for with the validators of its answer.
  public let conditional: Bool
  /// Where records that do not fit are kept, relative to the output root; nil when they are only reported.
  public var rejected: Located<Template>? { rare?.rejected }
  /// What the result must satisfy.
  public let expect: ExpectDeclaration
  /// How an answer in several pages is asked for; nil for one page.
  public var pages: PagesDeclaration? { rare?.pages }
  /// Whether one page is enough, even where the answer tells of another one (`pages: none`).
  public let isOnePageMeant: Bool
  /// How only what is new is asked for; nil asks for everything each time.
  public var cursor: CursorDeclaration? { rare?.cursor }
  /// The longest the whole flow may take, in seconds, where its file says so.
  public var deadline: Located<Double>? { rare?.deadline }
  /// Which requests are sent again.
  public let retry: RetryDeclaration
  /// What is done about answers that are errors; the first rule that applies counts.
  public let errors: [ErrorRuleDeclaration]
  /// How fast the host may be asked.
  public let rate: RateDeclaration
  /// The longest the flow's request may take, from the connection to the last byte, in seconds.
  public let timeout: Located<Double>
  /// The largest decoded answer, in bytes.
  public let maxBytes: Int
  /// Which redirects are followed.
  public let redirects: RedirectDeclaration
  /// What alone may be connected to; nil means everything but link-local addresses.
  public let allow: [AllowDeclaration]?
  /// A file of certificates to trust instead of the system's, already joined to the flow file's folder.
  public var caFile: Located<String>? { rare?.caFile }
  /// How its recordings and goldens are compared.
  public let fixture: FixtureDeclaration
  /// The proxy to use instead of the environment's.
  public var proxy: ProxyDeclaration? { rare?.proxy }

  /// What most flows lack: it is large, and so it lies elsewhere where there is any.
  private final class Rarities: Sendable {
    let auth: Located<AuthDeclaration>?
    let each: EachDeclaration?
    let rejected: Located<Template>?
    let pages: PagesDeclaration?
    let cursor: CursorDeclaration?
    let deadline: Located<Double>?
    let caFile: Located<String>?
    let proxy: ProxyDeclaration?

    init(
      auth: Located<AuthDeclaration>?, each: EachDeclaration?, rejected: Located<Template>?, pages: PagesDeclaration?,
      cursor: CursorDeclaration?, deadline: Located<Double>?, caFile: Located<String>?, proxy: ProxyDeclaration?
    ) {
      self.auth = auth
      self.each = each
      self.rejected = rejected
      self.pages = pages
      self.cursor = cursor
      self.deadline = deadline
      self.caFile = caFile
      self.proxy = proxy
    }
  }

  private let rare: Rarities?

  init(
    id: String,
    name: String,
    range: SourceRange,
    file: FileDeclaration,
    description: String?,
    tags: [String],
    request: RequestDeclaration,
    auth: Located<AuthDeclaration>?,
    each: EachDeclaration?,
    records: Located<JSONPath>?,
    schema: SchemaDeclaration?,
    mapping: MappingDeclaration,
    prune: Bool,
    reachability: Bool,
    wait: Bool,
    persistence: PersistenceDeclaration?,
    conditional: Bool,
    rejected: Located<Template>?,
    expect: ExpectDeclaration,
    pages: PagesDeclaration?,
    isOnePageMeant: Bool,
    cursor: CursorDeclaration?,
    deadline: Located<Double>?,
    retry: RetryDeclaration,
    errors: [ErrorRuleDeclaration],
    rate: RateDeclaration,
    timeout: Located<Double>,
    maxBytes: Int,
    redirects: RedirectDeclaration,
    allow: [AllowDeclaration]?,
    caFile: Located<String>?,
    fixture: FixtureDeclaration,
    proxy: ProxyDeclaration?
  ) {
    self.id = id
    self.name = name
    self.range = range
    self.file = file
    self.description = description
    self.tags = tags
    self.request = request
    self.records = records
    self.schema = schema
    self.mapping = mapping
    self.prune = prune
    self.reachability = reachability
    self.wait = wait
    self.persistence = persistence
    self.conditional = conditional
    self.expect = expect
    self.isOnePageMeant = isOnePageMeant
    self.retry = retry
    self.errors = errors
    self.rate = rate
    self.timeout = timeout
    self.maxBytes = maxBytes
    self.redirects = redirects
    self.allow = allow
    self.fixture = fixture
    let hasNone =
      auth == nil && each == nil && rejected == nil && pages == nil && cursor == nil && deadline == nil && caFile == nil
      && proxy == nil
    rare =
      hasNone
      ? nil
      : Rarities(
        auth: auth, each: each, rejected: rejected, pages: pages, cursor: cursor, deadline: deadline, caFile: caFile,
        proxy: proxy)
  }

  /// Whether it asks once, whatever the answer.
  public var isOneRequest: Bool { pages == nil && each == nil && cursor?.slice == nil }
}
