/// The names of a flow and the location of its declaration.
package struct FlowOrigin: Sendable {
  /// The id, `file-stem.flow-name`. It is unique in a run.
  package let id: String
  /// The flow's key in its file.
  package let name: String
  /// The purpose of the flow, as declared.
  package var description: String?
  /// Labels by which flows are selected.
  package var tags: [String] = []
  /// The variables that an item of `for` gives to the flow, as text; nil for a flow without `for`.
  package var item: String?
  /// The condition under which the flow runs, and its present value; nil outside of descriptions.
  package var condition: String?
  /// The path of the flow file, as the user wrote it.
  package let file: String
  /// The line of the flow's key, counted from 1.
  package let line: Int
  /// The source locations of the keys that errors refer to.
  package var locations = PlanLocations()

  package init(id: String, name: String, file: String, line: Int) {
    self.id = id
    self.name = name
    self.file = file
    self.line = line
  }
}
