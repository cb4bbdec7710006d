package import JSONSyntax

extension JSONPath {
  /// The values that the query selects in data from a server.
  ///
  /// - Throws: `.parser` when the query takes more steps than are allowed.
  package func found(in root: JSONValue, budget: Int = standardBudget) throws(ReactorError) -> [JSONValue] {
    do throws(JSONPathBudgetError) { return try values(in: root, budget: budget) } catch { throw tooManySteps }
  }

  /// Whether the query selects nothing because a list is empty (`selectsFromEmptyList`).
  ///
  /// - Throws: `.parser` when the query takes more steps than are allowed.
  package func findsEmptyList(in root: JSONValue) throws(ReactorError) -> Bool {
    do throws(JSONPathBudgetError) { return try selectsFromEmptyList(in: root) } catch { throw tooManySteps }
  }

  private var tooManySteps: ReactorError {
    var error = ReactorError.parser("the path \(text) takes more steps in this document than are allowed")
    error.help = "simplify it: a filter inside a filter visits the document once for each node"
    return error
  }
}
