import JSONSyntax
import ReactorCore

/// A repository as the search API describes it.
struct Repository: Mappable, Equatable {
  let name: String

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Repository {
    Repository(name: try json.stringField("full_name"))
  }

  func mapToJSON() -> JSONValue? { .object(["full_name": .string(name)]) }
}
