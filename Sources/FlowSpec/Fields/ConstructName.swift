/// The mappings of the language that have a table of keys.
public enum ConstructName: String, Sendable, Hashable, CaseIterable {
  case file
  case variable = "var"
  case http
  case auth
  case basic
  case apiKey = "api_key"
  case oauth2
  case login
  case loginStep = "login-step"
  case defaults
  case defaultPersistence = "defaults.persistence"
  case flow
  case resource
  case body
  case graphql
  case sentRecords = "body.records"
  case idempotency
  case each
  case eachPart = "each.product"
  case eachBatch = "each.batch"
  case reshape
  case change
  case flatten
  case persistence
  case expect
  case fixture
  case fixtureMatch = "fixture.match"
  case pages
  case cursor
  case retry
  case rate
  case errorRule = "errors"
  case schemaFile = "schema-file"
  case schema
  case field
  case element

  /// The table.
  public var construct: Construct {
    switch self {
    case .file: .file
    case .variable: .variable
    case .http: .http
    case .auth: .auth
    case .basic: .basic
    case .apiKey: .apiKey
    case .oauth2: .oauth2
    case .login: .login
    case .loginStep: .loginStep
    case .defaults: .defaults
    case .defaultPersistence: .defaultPersistence
    case .flow: .flow
    case .resource: .resource
    case .body: .body
    case .graphql: .graphql
    case .sentRecords: .sentRecords
    case .idempotency: .idempotency
    case .each: .each
    case .eachPart: .eachPart
    case .eachBatch: .eachBatch
    case .reshape: .reshape
    case .change: .change
    case .flatten: .flatten
    case .persistence: .persistence
    case .expect: .expect
    case .fixture: .fixture
    case .fixtureMatch: .fixtureMatch
    case .pages: .pages
    case .cursor: .cursor
    case .retry: .retry
    case .rate: .rate
    case .errorRule: .errorRule
    case .schemaFile: .schemaFile
    case .schema: .schema
    case .field: .field
    case .element: .element
    }
  }
}
