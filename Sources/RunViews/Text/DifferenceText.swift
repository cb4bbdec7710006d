/// The differences of a flow from its golden, a line each.
package enum DifferenceText {
  /// The lines; what is not listed is counted.
  package static func lines(_ flow: RunReport.Flow) -> [String] { FlowFacts(flow).differences }
}
