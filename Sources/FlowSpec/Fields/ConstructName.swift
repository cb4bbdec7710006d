/// The mappings of the language that have a table of keys.
public enum ConstructName: String, Sendable, Hashable, CaseIterable {
  case file
  case variable = "var"
  case http
  case defaults
  case defaultPersistence = "defaults.persistence"
  case flow
  case resource
  case body
  case each
  case eachPart = "each.product"
  case persistence
  case expect
  case fixture
  case fixtureMatch = "fixture.match"
  case pages
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
    case .defaults: .defaults
    case .defaultPersistence: .defaultPersistence
    case .flow: .flow
    case .resource: .resource
    case .body: .body
    case .each: .each
    case .eachPart: .eachPart
    case .persistence: .persistence
    case .expect: .expect
    case .fixture: .fixture
    case .fixtureMatch: .fixtureMatch
    case .pages: .pages
    case .schemaFile: .schemaFile
    case .schema: .schema
    case .field: .field
    case .element: .element
    }
  }
}
