/// The bytes that libFuzzer tries.
public func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
}

/// Ends the process with a message, which libFuzzer takes for a finding and keeps the input.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
