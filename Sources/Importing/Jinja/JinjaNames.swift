/// The names that an expression of a manifest may use, with their counterparts in the flow language.
struct JinjaNames {
  /// The variables and secrets of the file.
  var variables: Variables
  /// The values of `$parameters`.
  var parameters: [String: SourceNode] = [:]
  /// Values of `stream_partition` by name.
  var partitions: [String: FlowExpression] = [:]
  /// The start and the end of a range, by their names in `stream_interval`.
  var intervals: [String: FlowExpression] = [:]
  /// The values of `stream_state`: the start of the cursor's range, or the cursor's position if the two differ.
  var states: [String: FlowExpression] = [:]
  /// The expression for `next_page_token['next_page_token']`.
  var pageToken: FlowExpression?
  /// Other names, such as `record` and `response`.
  var roots: [String: FlowExpression] = [:]
  /// The values of `components_values`; nil for a stream that is not a template.
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
