/// An optional value that most holders lack: it takes a pointer in them, and lies elsewhere where it is there.
///
/// A flow's declaration is copied and moved by the thousand; most of its size would be keys that nobody wrote.
@propertyWrapper
public struct Rare<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box?

  /// The value, nil where it is lacking.
  public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }

  /// Takes the value.
  public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }
}
