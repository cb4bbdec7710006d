internal import ReactorCore
internal import Synchronization

/// Thins out how often one attempt of a flow tells what it has received: the first bytes, then every 64 KiB.
///
/// Each telling wakes the store, which costs more than a chunk is worth; the flow's result tells the sum exactly.
final class ByteSteps: Sendable {
  static let step = 65_536
  private let told = Mutex<Int?>(nil)

  /// Whether an event is worth telling.
  func passes(_ event: FlowEvent) -> Bool {
    guard case .received(let bytes) = event else { return true }
    return told.withLock { told in
      if let told, bytes - told < Self.step { return false }
      told = bytes
      return true
    }
  }
}
