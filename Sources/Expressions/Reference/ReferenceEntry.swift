/// A form of the language that is no function, for the reference; its examples are run by the tests.
struct ReferenceEntry: Sendable {
  /// How it is written.
  var form: String
  /// What it gives, as a sentence.
  var summary: String
  var examples: [Function.Example]

  init(_ form: String, _ summary: String, _ examples: [Function.Example]) {
    self.form = form
    self.summary = summary
    self.examples = examples
  }
}
