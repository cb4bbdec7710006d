import Foundation
import Testing

@testable import MailTransport

/// Mails as text. `NotifyMailTests` reads them with a mail server and with Python's reader.
@Suite struct MailMessageTests {
  private func mail(_ subject: String, _ text: String = "a") -> [String] {
    let message = MailMessage(
      from: "reactor@example.com", to: ["a@example.com", "b@example.com"], subject: subject, text: text,
      id: "reactor.1", time: 1_795_921_800)
    return String(decoding: message.bytes(lineEnd: "\r\n"), as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test func `a mail has the fields that servers and readers need`() {
    #expect(
      mail("reactor: shop.orders failed").prefix(9) == [
        "Date: Sun, 29 Nov 2026 03:10:00 +0000", "From: <reactor@example.com>", "To: <a@example.com>,",
        " <b@example.com>", "Subject: reactor: shop.orders failed", "Message-ID: <reactor.1@example.com>",
        "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      ])
  }

  @Test func `a subject cannot add a field, and other characters are encoded in short words`() {
    let lines = mail("a\r\nBcc: <x@example.com>\u{0}")
    #expect(lines.contains("Subject: a  Bcc: <x@example.com> "))
    #expect(!lines.contains { $0.hasPrefix("Bcc") })
    let long = mail(String(repeating: "ä", count: 100)).joined(separator: "\n")
    #expect(long.contains("Subject: =?UTF-8?B?w6TDpMOk"))
    for line in long.split(separator: "\n") { #expect(line.utf8.count <= 90) }
    #expect(mail("=?UTF-8?B?YQ==?=").contains("Subject: =?UTF-8?B?PT9VVEYtOD9CP1lRPT0/PQ==?="))
  }

  @Test func `no line of the text is long, and a line with a dot stays`() throws {
    let text = String(repeating: "x", count: 5000) + "\n.\nend"
    let lines = mail("a", text)
    #expect(lines.allSatisfy { $0.utf8.count <= 90 })
    let body = lines.drop { !$0.isEmpty }.joined()
    let data = try #require(Data(base64Encoded: body))
    #expect(String(decoding: data, as: UTF8.self) == text.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n")
  }
}
