package import JSONSyntax
package import ReactorCore

/// The source locations of the keys that errors refer to.
package struct PlanLocations: Sendable {
  /// A schema field that the flow's own file declares.
  package struct Field: Sendable {
    let name: String
    /// The path of the field's value in a record, as JSON pointer tokens; nil when the path is not a single location.
    let tokens: [String]?
    let location: ReactorError.Location

    /// Creates a field.
    package init(name: String, from: JSONPath, location: ReactorError.Location) {
      self.name = name
      tokens = from.singularSteps.flatMap { JSONPointer($0)?.tokens }
      self.location = location
    }
  }

  /// The locations by key, as errors name the key: `records`, `pages.more`.
  package var keys: [String: ReactorError.Location] = [:]
  /// The fields, in the order of the schema.
  package var fields: [Field] = []

  package init() {}

  /// The error with the location of the key that it refers to.
  func located(_ error: ReactorError) -> ReactorError {
    guard error.location == nil, let key = error.key, let location = location(of: key, error.pointer ?? "") else {
      return error
    }
    var error = error
    error.location = location
    return error
  }

  private func location(of key: String, _ pointer: String) -> ReactorError.Location? {
    if key == "schema" { return location(ofFieldAt: pointer) }
    if key.hasPrefix("schema.") { return fields.first { "schema.\($0.name)" == key }?.location }
    return keys[key]
  }

  /// The location of the field that a JSON pointer into a record leads to.
  private func location(ofFieldAt pointer: String) -> ReactorError.Location? {
    guard let part = try? JSONPointer(parsing: pointer).tokens else { return nil }
    func depth(_ field: Field) -> Int { field.tokens.flatMap { part.starts(with: $0) ? $0.count : nil } ?? 0 }
    guard let nearest = fields.map(depth).max(), nearest > 0 else { return nil }
    return fields.first { depth($0) == nearest }?.location
  }
}
