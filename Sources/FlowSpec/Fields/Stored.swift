/// A key with the property in which its value is stored when its mapping is read.
struct Stored<Whole>: Sendable {
  /// Reads the key and stores its value. An absent key, and one with an error, changes nothing.
  let fill: @Sendable (inout FlowReader, inout Whole, FieldNodes) -> Void

  init<Value>(_ field: Field<Value>, _ set: @escaping @Sendable (inout Whole, Value) -> Void) {
    fill = { reader, whole, nodes in
      if let value = reader.read(field, of: nodes) { set(&whole, value) }
    }
  }
}
