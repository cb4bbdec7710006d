/// The names that an expression of a manifest may use, with their counterparts in the flow language.
struct JinjaNames {
  /// The variables and secrets of the file.
  var variables: Variables
  /// The values of `$parameters`.
  var parameters: [String: SourceNode] = [:]
  /// The values of partitions, by their names in `stream_partition`.
  var partitions: [String: FlowExpression] = [:]
  /// The start and the end of a range, by their names in `stream_interval`.
  var intervals: [String: FlowExpression] = [:]
  /// The value of `stream_state`, by the name of the cursor's field: `cursor.start`, or `cursor.position` if the range
  /// does not begin at the position.
  var states: [String: FlowExpression] = [:]
  /// The expression for `next_page_token['next_page_token']`.
  var pageToken: FlowExpression?
  /// The expressions for other names, such as `record` and `response`.
  var roots: [String: FlowExpression] = [:]
  /// The values of `components_values`; nil if the expression cannot use values of items.
  var items: ItemNames?
  /// The variables of loops, by name.
  var locals: [String: FlowExpression] = [:]

  init(_ variables: Variables, _ component: Component? = nil) {
    self.variables = variables
    parameters = component?.parameters ?? [:]
  }

  /// The same names, with the parameters of another component.
  func of(_ component: Component) -> JinjaNames {
    var names = self
    names.parameters = component.parameters
    return names
  }

  /// The same names with one more.
  func with(_ name: String, _ value: FlowExpression) -> JinjaNames {
    var names = self
    names.roots[name] = value
    return names
  }
}
