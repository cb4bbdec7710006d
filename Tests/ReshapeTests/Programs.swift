/// Programs and inputs on which this subset and jq are to agree, results or failure.
enum Programs {
  typealias Pair = (program: String, input: String)

  static let all = language + functions
}
