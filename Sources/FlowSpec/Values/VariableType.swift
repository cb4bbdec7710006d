/// The types a variable may have.
public enum VariableType: String, Sendable, Hashable, CaseIterable {
  case string, integer, number, boolean, date, timestamp, duration, list
}
