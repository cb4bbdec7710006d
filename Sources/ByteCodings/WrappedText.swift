/// Text that is cut into lines: encoders of base64 and of quoted text break lines anywhere.
package enum WrappedText {
  /// The length of the line breaks at an index: CR and LF as they are, and as JSON and YAML escape them; 0 for none.
  package static func breakLength(_ bytes: [UInt8], at index: Int) -> Int {
    var end = index
    while end < bytes.count {
      if bytes[end] == 0x0A || bytes[end] == 0x0D {
        end += 1
      } else if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count,
        bytes[end + 1] == UInt8(ascii: "n") || bytes[end + 1] == UInt8(ascii: "r")
      {
        end += 2
      } else {
        break
      }
    }
    return end - index
  }
}
