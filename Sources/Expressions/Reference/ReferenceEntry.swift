/// A language construct that is not a function, for the reference. The tests run its examples.
struct ReferenceEntry: Sendable {
  /// The syntax of the construct.
  var form: String
  /// A sentence about the result.
  var summary: String
  var examples: [Function.Example]

  init(_ form: String, _ summary: String, _ examples: [Function.Example]) {
    self.form = form
    self.summary = summary
    self.examples = examples
  }
}
