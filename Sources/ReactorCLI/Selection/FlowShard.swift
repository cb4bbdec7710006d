internal import Storage

/// Divides flows among machines by their ids alone (rendezvous hashing).
///
/// A hash of a flow's id and of a part's number gives a score, and the flow belongs to the part with the highest
/// score. So every flow is in exactly one part. Adding or removing flows moves no other flow. An additional part takes
/// flows from the existing parts, but moves no flow between them. The scores are the same on every machine and in
/// every version.
package enum FlowShard {
  /// The number of the part to which a flow belongs, from 1.
  package static func number(of id: String, count: Int) -> Int {
    let hash = ContentHash.of(id.utf8)
    var best = (number: 1, score: UInt64(0))
    for number in 1...max(count, 1) {
      let score = mix(hash ^ mix(UInt64(number)))
      if number == 1 || score > best.score { best = (number, score) }
    }
    return best.number
  }

  /// Mixes the bits of a value, so that a change of any bit affects all bits (the finisher of SplitMix64).
  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
