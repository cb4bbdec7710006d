extension ByteBuffer {
  /// Appends a value as compact JSON.
  public func append(json value: JSONValue) { append(JSONWriter.bytes(value)) }

  /// Appends text as a JSON string.
  public func append(quoted text: String) {
    var text = text
    text.withUTF8 { EscapedText.quote($0, into: self) }
  }
}
