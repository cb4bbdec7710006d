public import FlowRuntime
internal import FlowSpec
internal import FlowModel

extension AllowedPrune {
  /// Parses `5` or `2.5%`; nil for other text.
  ///
  /// ```swift
  /// AllowedPrune(parsing: "5%")?.allows(report)  // at most 5 of 100
  /// AllowedPrune(parsing: "5")?.allows(report)   // at most 5
  /// ```
  public init?(parsing text: String) {
    guard let bound = try? CountOrShare(parsing: text) else { return nil }
    self.init(bound)
  }
}
