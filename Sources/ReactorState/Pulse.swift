/// A value of a state whose every assignment is an event, also of an equal value: an alert, a sound, a jump.
///
/// ```swift
/// struct State { @Pulse var alert: String? }
///
/// for await alert in store.pulses(of: \.$alert) { show(alert) }
/// ```
///
/// It is not `Equatable`, because two assignments of one value are two events.
@propertyWrapper public struct Pulse<Value: Sendable>: Sendable {
  /// The value; assigning it or changing it in place counts one more event, reading does not.
  public var wrappedValue: Value {
    didSet { valueUpdatedCount &+= 1 }
  }

  /// How often the value was assigned; after the greatest number comes 0.
  public private(set) var valueUpdatedCount: UInt

  /// The value with its count.
  public var projectedValue: Pulse { self }

  /// A first value, which is no event.
  public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, valueUpdatedCount: 0) }

  /// A value that was assigned before.
  package init(wrappedValue: Value, valueUpdatedCount: UInt) {
    self.wrappedValue = wrappedValue
    self.valueUpdatedCount = valueUpdatedCount
  }
}
