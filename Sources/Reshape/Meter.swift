/// Counts the resources that a run uses, and ends the run at a limit.
struct Meter {
  var steps: Int
  var bytes: Int
  private(set) var given: Int
  /// The compiled patterns of this run, so that each is compiled only once.
  var patterns: [String: Pattern] = [:]

  init(steps: Int, bytes: Int) {
    self.steps = steps
    self.bytes = bytes
    given = bytes
  }

  mutating func step(_ count: Int = 1) throws(EvaluationError) {
    steps -= count
    guard steps >= 0 else { throw .limit("the program takes more steps than are allowed") }
  }

  /// Counts the bytes of new values that the program creates; throws at the limit.
  mutating func build(_ count: Int) throws(EvaluationError) {
    bytes -= count
    guard bytes >= 0 else { throw .limit("the program builds more data than is allowed") }
  }

  /// Counts the bytes of results that the program returns; throws at the limit.
  mutating func give(_ count: Int) throws(EvaluationError) {
    given -= count
    guard given >= 0 else { throw .limit("the program's results are larger than is allowed") }
  }
}
