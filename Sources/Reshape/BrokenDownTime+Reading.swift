internal import TimeSyntax

extension BrokenDownTime {
  /// Parses a text by strptime's conversion characters; nil when the whole text does not match the format.
  init?(_ text: String, format: String) {
    self.init(seconds: 0)
    self.year = 1900
    var bytes = Array(text.utf8)[...]
    var isLetter = false
    for letter in format.utf8 {
      guard isLetter else {
        if letter == UInt8(ascii: "%") {
          isLetter = true
        } else if letter == 0x20 || (0x09...0x0D).contains(letter) {
          bytes = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        } else {
          guard bytes.popFirst() == letter else { return nil }
        }
        continue
      }
      isLetter = false
      guard read(Character(Unicode.Scalar(letter)), &bytes) else { return nil }
    }
    guard bytes.isEmpty, !isLetter else { return nil }
  }

  private mutating func read(_ letter: Character, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    func number(_ width: Int, _ range: ClosedRange<Int>) -> Int? {
      var value = 0
      var count = 0
      bytes = bytes.drop { $0 == 0x20 }
      while count < width, let byte = bytes.first, Lexer.isDigit(byte) {
        value = value * 10 + Int(byte - 0x30)
        bytes.removeFirst()
        count += 1
      }
      return count > 0 && range.contains(value) ? value : nil
    }
    func name(_ names: [String]) -> Int? {
      for (position, name) in names.enumerated() {
        for form in [name, String(name.prefix(3))]
        where bytes.prefix(form.utf8.count).map({ $0 | 0x20 }) == form.utf8.map({ $0 | 0x20 }) {
          bytes = bytes.dropFirst(form.utf8.count)
          return position
        }
      }
      return nil
    }
    func all(_ letters: String, _ between: UInt8) -> Bool {
      for (position, letter) in letters.enumerated() {
        if position > 0, bytes.popFirst() != between { return false }
        guard read(letter, &bytes) else { return false }
      }
      return true
    }
    switch letter {
    case "Y": return number(4, 0...9_999).map { year = $0 } != nil
    case "y": return number(2, 0...99).map { year = $0 < 69 ? 2_000 + $0 : 1_900 + $0 } != nil
    case "m": return number(2, 1...12).map { month = $0 - 1 } != nil
    case "d", "e": return number(2, 1...31).map { day = $0 } != nil
    case "H": return number(2, 0...23).map { hour = $0 } != nil
    case "M": return number(2, 0...59).map { minute = $0 } != nil
    case "S": return number(2, 0...61).map { second = Double($0) } != nil
    case "b", "B", "h": return name(GregorianCalendar.months).map { month = $0 } != nil
    case "a", "A": return name(GregorianCalendar.weekdays) != nil
    case "F": return all("Ymd", UInt8(ascii: "-"))
    case "T": return all("HMS", UInt8(ascii: ":"))
    case "R": return all("HM", UInt8(ascii: ":"))
    case "D": return all("mdy", UInt8(ascii: "/"))
    case "%": return bytes.popFirst() == UInt8(ascii: "%")
    case "Z":
      let name = bytes.prefix { Lexer.isWordStart($0) }
      bytes = bytes.dropFirst(name.count)
      return !name.isEmpty
    case "z":
      if bytes.first == UInt8(ascii: "Z") {
        bytes.removeFirst()
        return true
      }
      guard let sign = bytes.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
        let hours = number(2, 0...23)
      else { return false }
      if bytes.first == UInt8(ascii: ":") { bytes.removeFirst() }
      guard let minutes = number(2, 0...59) else { return false }
      offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
      return true
    default: return false
    }
  }
}
