import JSONSyntax
import ReactorCore

/// The seed's other example model.
struct Author: Mappable, Equatable {
  var name: String

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Author {
    Author(name: try json.stringField("name"))
  }

  func mapToJSON() -> JSONValue? { .object(["name": .string(name)]) }
}
