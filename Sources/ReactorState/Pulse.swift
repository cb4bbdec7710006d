/// A value of a state of which every assignment is an event, also of an equal value: an alert, a sound, a navigation.
///
/// ```swift
/// struct State { @Pulse var alert: String? }
///
/// for await alert in store.pulses(of: \.$alert) { show(alert) }
/// ```
///
/// It is not `Equatable`, because two assignments of equal values are two events.
@propertyWrapper public struct Pulse<Value: Sendable>: Sendable {
  /// The value. Each assignment and each change in place is an event.
  public var value: Value {
    didSet { valueUpdatedCount &+= 1 }
  }

  /// The number of events. It wraps to 0.
  public private(set) var valueUpdatedCount: UInt

  /// The value.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The pulse itself.
  public var projectedValue: Pulse { self }

  /// Begins with a value, which is no event.
  public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, valueUpdatedCount: 0) }

  package init(wrappedValue: Value, valueUpdatedCount: UInt) {
    value = wrappedValue
    self.valueUpdatedCount = valueUpdatedCount
  }
}
