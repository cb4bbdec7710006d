/// Stores a value behind one reference; nil takes no memory. For values that are nil in most owners.
@propertyWrapper
@frozen public struct BoxedIfPresent<Value: Sendable>: Sendable {
  @usableFromInline var box: Box<Value>?

  /// Boxes a value unless it is nil.
  @inlinable public init(wrappedValue: Value?) { box = wrappedValue.map { Box($0) } }

  /// The boxed value; nil when there is none.
  @inlinable public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map { Box($0) } }
  }
}

extension BoxedIfPresent: Equatable where Value: Equatable {
  /// Compares the values.
  @inlinable public static func == (left: BoxedIfPresent, right: BoxedIfPresent) -> Bool {
    left.box === right.box || left.box?.value == right.box?.value
  }
}

extension BoxedIfPresent: Hashable where Value: Hashable {
  /// Hashes the value.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(box?.value) }
}
