package import JSONSyntax
package import ReactorCore

/// Where the keys of a flow stand that errors are about.
package struct PlanLocations: Sendable {
  /// A field of the schema that stands in the flow's own file.
  package struct Field: Sendable {
    let name: String
    /// The steps to its value in a record, as in a JSON pointer; nil where it has no single place.
    let tokens: [String]?
    let location: ReactorError.Location

    /// Joins the parts.
    package init(name: String, from: JSONPath, location: ReactorError.Location) {
      self.name = name
      tokens = from.singularSteps.flatMap { JSONPointer($0)?.tokens }
      self.location = location
    }
  }

  /// By key, as errors name it: `records`, `pages.more`.
  package var keys: [String: ReactorError.Location] = [:]
  /// In the order of the schema.
  package var fields: [Field] = []

  package init() {}

  /// The error with the place of the key that it is about.
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

  /// Where the field stands that holds a part of a record, given as a JSON pointer.
  private func location(ofFieldAt pointer: String) -> ReactorError.Location? {
    guard let part = try? JSONPointer(parsing: pointer).tokens else { return nil }
    func depth(_ field: Field) -> Int { field.tokens.flatMap { part.starts(with: $0) ? $0.count : nil } ?? 0 }
    guard let nearest = fields.map(depth).max(), nearest > 0 else { return nil }
    return fields.first { depth($0) == nearest }?.location
  }
}
