/// What a flow is called, and where it was declared.
package struct FlowOrigin: Sendable {
  /// `file-stem.flow-name`, unique in a run.
  package let id: String
  /// The flow's key in its file.
  package let name: String
  /// What it is for.
  package var description: String?
  /// Labels for selection.
  package var tags: [String] = []
  /// The flow file as the user named it.
  package let file: String
  /// The line of the flow's key, from 1.
  package let line: Int
  /// The source locations of keys that errors are about.
  package var locations = PlanLocations()

  package init(id: String, name: String, file: String, line: Int) {
    self.id = id
    self.name = name
    self.file = file
    self.line = line
  }
}
