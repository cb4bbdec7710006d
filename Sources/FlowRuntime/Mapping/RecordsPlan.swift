internal import Expressions
package import JSONSyntax
package import Records

/// How the records of a response are found, mapped and judged.
package struct RecordsPlan: Sendable {
  /// Where the records are in the response; nil means the whole response.
  package var path: JSONPath?
  package var schema = CompiledSchema.wholeRecords
  /// What is done with records besides mapping them; nil for nothing.
  package var transform: RecordTransform?
  /// Whether the first record that does not fit fails the flow; else it is left out and reported.
  package var isStrict = false
  /// What the result must satisfy.
  package var expectations = Expectations()
  /// Whether one page is enough, even where the response names another one.
  package var takesOnePage = false

  package init() {}
}

extension RecordTransform {
  /// The same for one partition, whose values have names of their own.
  func with(_ values: [String: ExpressionValue]) -> RecordTransform {
    var transform = self
    transform.scope.merge(values) { _, own in own }
    return transform
  }
}
