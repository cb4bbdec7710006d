import Authorization
import FlowModel
import ReactorCore
import Testing

/// The language and the libraries below it each have an enumeration for what both know: neither imports the other. A
/// declared case becomes the library's by its name, so each must have all names of the other.
@Suite struct LayeredChoiceTests {
  @Test func `each declared algorithm of a token is one that can sign, and each of these can be declared`() {
    #expect(SignedToken.Algorithm.allCases.map(\.rawValue) == SigningAlgorithm.allCases.map(\.rawValue))
  }

  @Test func `each declared method of OAuth 1 is one that can sign, and each of these can be declared`() {
    #expect(OAuth1Method.allCases.map(\.rawValue) == OAuth1Signature.Method.allCases.map(\.rawValue))
  }

  @Test func `each declared action of a rule is one that a response can have`() {
    for action in ErrorRule.Action.allCases { #expect(ResponseRule.Action(rawValue: action.rawValue) != nil) }
  }
}
