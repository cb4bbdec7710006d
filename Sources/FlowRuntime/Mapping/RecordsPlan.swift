package import Boxes
internal import Expressions
package import FlowModel
package import JSONSyntax
package import Records

/// How the records of a response are found, mapped and checked.
package struct RecordsPlan: Sendable {
  /// The path of the records in the response; nil for the whole response.
  package var path: JSONPath?
  /// The format of the response; nil for one JSON document.
  @BoxedIfPresent package var format: ResponseFormat?
  @Boxed package var schema = CompiledSchema.wholeRecords
  /// Further changes to the records besides the mapping; nil for none.
  @BoxedIfPresent package var transform: RecordTransform?
  /// Whether the first invalid record fails the flow; otherwise invalid records are left out and reported.
  package var isStrict = false
  /// The expectations that the result must satisfy.
  @Boxed package var expectations = Expectations()
  /// Whether the flow takes only one page, even if the response announces another one.
  package var takesOnePage = false

  package init() {}
}

extension RecordTransform {
  /// The transform for one partition, whose values are added to the scope of expressions.
  func with(_ values: [String: ExpressionValue]) -> RecordTransform {
    var transform = self
    transform.scope.merge(values) { _, own in own }
    return transform
  }
}
