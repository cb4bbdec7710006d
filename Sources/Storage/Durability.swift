/// How far a published result has gone when the call returns.
public enum Durability: Sendable, Hashable {
  /// It survives a power loss: file and folder are on the medium.
  case durable
  /// It survives the end of the process, not that of the machine; for scratch data and for measuring.
  case fast
}
