import JSONSyntax
import ReactorCore

/// Somebody who writes articles.
struct Author: Mappable {
  let name: String

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Author {
    Author(name: try json.stringField("name"))
  }

  func mapToJSON() -> JSONValue? { .object(["name": .string(name)]) }
}
