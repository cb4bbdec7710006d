internal import ByteCodings
internal import TimeSyntax

/// A plain text mail (RFC 5322), in UTF-8.
package struct MailMessage: Sendable, Hashable {
  /// The address of the sender.
  package let from: String
  /// The addresses of the recipients; at least one.
  package let to: [String]
  /// The subject. Characters that cannot stand in a header become blanks.
  package let subject: String
  /// The text, with `\n` at the ends of lines.
  package let text: String
  /// What identifies the mail: letters, digits, `-` and `.`.
  package let id: String
  /// When it is sent, in seconds since 1970 UTC.
  package let time: Int64

  /// Describes a mail.
  ///
  /// - Parameters:
  ///   - from: an address without a name; nothing in it is escaped
  ///   - to: such addresses
  package init(from: String, to: [String], subject: String, text: String, id: String, time: Int64) {
    (self.from, self.to, self.subject, self.text) = (from, to, subject, text)
    (self.id, self.time) = (id, time)
  }

  /// The maximum number of bytes of the subject.
  private static let longestSubject = 500
  /// The bytes of an encoded word: with its frame it has at most 75 characters (RFC 2047, section 2).
  private static let encodedBytes = 45

  /// The mail as it is sent.
  ///
  /// - Parameter lineEnd: CR LF for a server, LF for a program of this machine
  package func bytes(lineEnd: String) -> [UInt8] {
    let host = from.split(separator: "@").last.map(String.init) ?? "localhost"
    let header = [
      "Date: \(Self.date(time))", "From: <\(from)>", "To: " + to.map { "<\($0)>" }.joined(separator: ",\(lineEnd) "),
      "Subject: " + Self.words(subject).joined(separator: "\(lineEnd) "), "Message-ID: <\(id)@\(host)>",
      // Programs that answer mails do not answer these (RFC 3834).
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64", "",
    ]
    let encoded = Array(Base64.encode(Array((text + "\n").replacing("\n", with: "\r\n").utf8)).utf8)
    let lines = stride(from: 0, to: encoded.count, by: 76).map {
      String(decoding: encoded[$0..<min($0 + 76, encoded.count)], as: UTF8.self)
    }
    return Array((header + lines + [""]).joined(separator: lineEnd).utf8)
  }

  /// The subject as words of a header: as it is if it is short and ASCII, else encoded.
  private static func words(_ subject: String) -> [String] {
    var plain = ""
    for scalar in subject.unicodeScalars where plain.utf8.count < longestSubject {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      plain.unicodeScalars.append(isControl ? " " : scalar)
    }
    // Longer lines would need to be folded; a text that looks like an encoded word would be decoded.
    if plain.utf8.count <= 900, plain.utf8.allSatisfy({ $0 < 0x80 }), !plain.contains("=?") { return [plain] }
    var words: [[UInt8]] = [[]]
    for scalar in plain.unicodeScalars {
      let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      if words[words.count - 1].count + bytes.count > encodedBytes { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?UTF-8?B?\(Base64.encode($0))?=" }
  }

  /// A time as RFC 5322 (section 3.3) writes it, in UTC.
  private static func date(_ seconds: Int64) -> String {
    let text = InstantText.text(seconds)
    let (date, rest) = (text.prefix(10).split(separator: "-"), text.dropFirst(11).prefix(8))
    guard text.count == 20, date.count == 3, let month = Int(date[1]), (1...12).contains(month) else { return text }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // The first day of 1970 was a Thursday.
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    return "\(days[Int(((day % 7) + 7) % 7)]), \(date[2]) \(months[month - 1]) \(date[0]) \(rest) +0000"
  }
}
