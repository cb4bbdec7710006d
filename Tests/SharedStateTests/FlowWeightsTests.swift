import Testing

@testable import SharedState

/// The order in which flows are claimed.
struct FlowWeightsTests {
  @Test func `a flow that is new comes behind the longest hundredth`() {
    let weights = FlowWeights(Dictionary(uniqueKeysWithValues: (1...1000).map { ("\($0)", Int64($0) * 1000) }))
    #expect(weights["990"] == 990_000)
    #expect(weights["new"] == 989_999)
    #expect(weights["1"] == 1000)
  }

  @Test func `without an earlier run all flows are alike`() { #expect(FlowWeights([:])["a"] == FlowWeights([:])["b"]) }

  @Test func `no weight is below a millisecond`() {
    let weights = FlowWeights(["a": 0])
    #expect(weights["a"] == 1 && weights["new"] == 1)
  }
}
