package import RunViews

/// A run that has ended, with what its metrics are made from.
package struct ObservedRun: Sendable {
  package let run: EndedRun
  /// Each flow after the run, also those that it did not run.
  package let flows: [FlowHealth]
  /// The output root as an absolute path. It tells the flows of two projects on one machine apart.
  package let root: String
  /// The version of the program.
  package let tool: String

  /// Describes a run.
  ///
  /// - Parameter isCurrent: whether a flow of the history still exists, by its id
  package init(_ run: EndedRun, root: String, tool: String, isCurrent: (String) -> Bool = { _ in true }) {
    self.run = run
    flows = run.after.filter { isCurrent($0.flow) }
    self.root = root
    self.tool = tool
  }
}
