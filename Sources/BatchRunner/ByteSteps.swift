internal import ReactorCore
internal import Synchronization

/// Limits how often an attempt of a flow reports its received bytes: after the first bytes, then every 64 KiB.
///
/// Each report wakes the store, which costs more than the handling of a small chunk. The result of the flow has the
/// exact number of bytes.
final class ByteSteps: Sendable {
  static let step = 65_536
  private let reported = Mutex<Int?>(nil)

  /// Returns whether to report an event.
  func passes(_ event: FlowEvent) -> Bool {
    guard case .received(let bytes) = event else { return true }
    return reported.withLock { reported in
      if let reported, bytes - reported < Self.step { return false }
      reported = bytes
      return true
    }
  }
}
