/// Stores a value behind one reference.
///
/// A copy of the owner copies the reference, not the value. A change of the value makes a new box, so that other copies
/// of the owner keep the old value. For parts that are large and are read much more often than changed.
///
/// ```swift
/// struct Plan {
///   @Boxed var transfer = Transfer()
///   @BoxedIfPresent var job: Job?  // takes no memory while it is nil
/// }
/// ```
@propertyWrapper
@frozen public struct Boxed<Value: Sendable>: Sendable {
  @usableFromInline var box: Box<Value>

  /// Boxes a value.
  @inlinable public init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// The boxed value.
  @inlinable public var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  /// This boxed value itself, for an owner that shares its box with another owner.
  @inlinable public var projectedValue: Boxed {
    get { self }
    set { self = newValue }
  }

  /// Whether this and `other` share one box. Their values are then equal, but values in different boxes may be equal
  /// too.
  @inlinable public func isSame(as other: Boxed) -> Bool { box === other.box }
}

extension Boxed: Equatable where Value: Equatable {
  /// Compares the values.
  @inlinable public static func == (left: Boxed, right: Boxed) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension Boxed: Hashable where Value: Hashable {
  /// Hashes the value.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}

/// An immutable value on the heap.
@usableFromInline final class Box<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable init(_ value: Value) { self.value = value }
}
