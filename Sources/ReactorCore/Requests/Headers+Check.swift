internal import ByteCodings

extension Headers {
  /// Rejects fields that could end early or inject another field.
  ///
  /// Such a field has a name that is not a token (RFC 9110, section 5.6.2), or a value with a control character other
  /// than a tab.
  ///
  /// - Throws: `.server` with the name of the field, never with its value.
  public func check() throws(ReactorError) {
    for field in fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(ASCII.isTokenCharacter) else {
        throw .server("a header has a name that is empty or contains a character that is not allowed in names")
      }
      guard field.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
        throw .server("the header '\(field.name)' contains a line break or another control character")
      }
    }
  }
}
