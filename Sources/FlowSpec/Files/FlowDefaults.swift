/// What a `defaults` mapping says; absent keys are nil.
struct FlowDefaults {
  var tags: [String]?
  var prune: Bool?
  var reachability: Bool?
  var wait: Bool?
  var retry: RetryDeclaration?
  var errors: [ErrorRuleDeclaration]?
  var expiresAfter: Located<Double>?
  var failOnSaveError: Bool?
}
