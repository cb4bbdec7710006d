/// The outcome of a load.
public enum PersistenceRead<Model: Sendable>: Sendable {
  /// A result that may be used.
  case hit(Model)
  /// None, and why.
  case miss(PersistenceMiss)
}
