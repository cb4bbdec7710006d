/// The names of the constructs: the mappings of the language that have a table of keys.
package enum ConstructName: String, Sendable, Hashable, CaseIterable {
  case file
  case variable = "var"
  case secret
  case http
  case clientCertificate = "http.client_certificate"
  case auth
  case basic
  case digest
  case apiKey = "api_key"
  case oauth1
  case oauth2
  case login
  case loginStep = "login-step"
  case jwt
  case assertion
  case sigv4
  case sign
  case choose
  case store
  case defaults
  case defaultPersistence = "defaults.persistence"
  case defaultExpect = "defaults.expect"
  case notify
  case mail
  case flow
  case schedule
  case flowFor = "for"
  case resource
  case body
  case graphql
  case sentRecords = "body.records"
  case idempotency
  case each
  case eachPart = "each.product"
  case eachUnion = "each.union"
  case eachBatch = "each.batch"
  case fieldGroups = "field_groups"
  case decode
  case reshape
  case change
  case flatten
  case persistence
  case rejected
  case expect
  case fixture
  case fixtureMatch = "fixture.match"
  case pages
  case pagesSize = "pages.size"
  case cursor
  case cursorQuery = "cursor.query"
  case cursorCap = "cursor.cap"
  case firstRun = "first_run"
  case job
  case jobRetry = "job.retry"
  case download
  case retry
  case honour = "retry.follow"
  case rate
  case rateBudget = "rate.budgets"
  case rateFollow = "rate.follow"
  case errorRule = "errors"
  case schemaFile = "schema-file"
  case schema
  case described
  case field
  case element

  /// The construct of this name.
  package var construct: Construct {
    switch self {
    case .file: FileKeys.construct
    case .variable: VariableKeys.construct
    case .secret: SecretKeys.construct
    case .http: HTTPKeys.construct
    case .clientCertificate: ClientCertificateKeys.construct
    case .auth: AuthKeys.construct
    case .basic: BasicKeys.construct
    case .digest: DigestKeys.construct
    case .apiKey: APIKeyKeys.construct
    case .oauth1: OAuth1Keys.construct
    case .oauth2: OAuth2Keys.construct
    case .login: LoginKeys.construct
    case .loginStep: LoginStepKeys.construct
    case .jwt: JWTKeys.construct
    case .assertion: JWTKeys.assertion
    case .sigv4: SigV4Keys.construct
    case .sign: SignKeys.construct
    case .choose: ChooseKeys.construct
    case .store: StoreKeys.construct
    case .defaults: DefaultsKeys.construct
    case .defaultPersistence: DefaultPersistenceKeys.construct
    case .defaultExpect: DefaultExpectKeys.construct
    case .notify: NotifyKeys.construct
    case .mail: MailKeys.construct
    case .flow: FlowKeys.construct
    case .schedule: ScheduleKeys.construct
    case .flowFor: ForKeys.construct
    case .resource: ResourceKeys.construct
    case .body: BodyKeys.construct
    case .graphql: GraphQLKeys.construct
    case .sentRecords: SentRecordsKeys.construct
    case .idempotency: IdempotencyKeys.construct
    case .each: EachKeys.construct
    case .eachPart: EachPartKeys.construct
    case .eachUnion: EachUnionKeys.construct
    case .eachBatch: BatchKeys.construct
    case .fieldGroups: FieldGroupsKeys.construct
    case .decode: DecodeKeys.construct
    case .reshape: ReshapeKeys.construct
    case .change: ChangeKeys.construct
    case .flatten: FlattenKeys.construct
    case .persistence: PersistenceKeys.construct
    case .rejected: RejectedKeys.construct
    case .expect: ExpectKeys.construct
    case .fixture: FixtureKeys.construct
    case .fixtureMatch: FixtureMatchKeys.construct
    case .pages: PagesKeys.construct
    case .pagesSize: PageSizeKeys.construct
    case .cursor: CursorKeys.construct
    case .cursorQuery: CursorQueryKeys.construct
    case .cursorCap: CursorCapKeys.construct
    case .firstRun: FirstRunKeys.construct
    case .job: JobKeys.construct
    case .jobRetry: JobRetryKeys.construct
    case .download: DownloadKeys.construct
    case .retry: RetryKeys.construct
    case .honour: HonourKeys.construct
    case .rate: RateKeys.construct
    case .rateBudget: RateBudgetKeys.construct
    case .rateFollow: RateFollowKeys.construct
    case .errorRule: ErrorRuleKeys.construct
    case .schemaFile: SchemaFileKeys.construct
    case .schema: SchemaKeys.construct
    case .described: DescribedKeys.construct
    case .field: FieldKeys.construct
    case .element: ElementKeys.construct
    }
  }
}
