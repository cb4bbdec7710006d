/// Which failures a published result survives once the call returns.
public enum Durability: Sendable, Hashable {
  /// The result survives a power loss: file and folder are on the medium.
  case durable
  /// The result survives the end of the process, but not a failure of the machine.
  ///
  /// Use it for scratch data and for measurements.
  case fast
}
