/// A value in a state for which every assignment is an event, even of an equal value.
///
/// Examples are an alert, a sound or a navigation.
///
/// ```swift
/// for await alert in store.pulses(of: \.$alert) { show(alert) }
/// ```
///
/// It is not `Equatable`, because two assignments of equal values are two events.
@propertyWrapper public struct Pulse<Value: Sendable>: Sendable {
  /// The value. Each assignment and each change in place is an event.
  public var value: Value {
    didSet { valueUpdatedCount &+= 1 }
  }

  /// The number of events. After the maximum it continues at 0.
  public private(set) var valueUpdatedCount: UInt

  /// The value.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The pulse itself, as the value of `$name`.
  public var projectedValue: Pulse { self }

  /// Creates a pulse with a value; the first value is not an event.
  public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, valueUpdatedCount: 0) }

  package init(wrappedValue: Value, valueUpdatedCount: UInt) {
    value = wrappedValue
    self.valueUpdatedCount = valueUpdatedCount
  }
}
