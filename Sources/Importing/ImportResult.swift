/// A flow file that was imported, and the report on it.
public struct ImportResult: Sendable {
  /// The text of the flow file. It has passed FlowSpec's loader and the check that the import was given.
  public let text: String
  /// What was carried over, and what was not.
  public let report: ImportReport
}
