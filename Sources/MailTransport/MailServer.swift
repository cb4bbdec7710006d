internal import CCurl
internal import DetachedThread

/// A server that accepts mails by SMTP (RFC 5321, RFC 6409).
package struct MailServer: Sendable {
  /// `smtp://HOST:PORT`, or `smtps://HOST:PORT` if the connection is encrypted from its beginning.
  package let url: String
  /// The account and its password; nil without one.
  package var account: (user: String, password: String)?
  /// Whether nothing is sent over a connection that is not encrypted.
  package var mustEncrypt = false
  /// The path of a PEM file of certificate authorities to trust; nil for the system's.
  package var caFile: String?
  /// The maximum time for one mail.
  package var timeout: Duration = .seconds(10)

  /// Names a server.
  package init(url: String) { self.url = url }

  /// Why a mail was not sent.
  package struct Failure: Error, Sendable, Hashable {
    /// The reason, without the names of the server and the account.
    package let message: String
  }

  /// Sends a mail, without blocking one of the threads of Swift's pool.
  package func send(_ mail: MailMessage) async throws(Failure) {
    let failure: String? = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start { continuation.resume(returning: deliver(mail)) }
      if !isStarted { continuation.resume(returning: "the system has no thread left") }
    }
    if let failure { throw Failure(message: failure) }
  }

  /// Sends a mail and blocks until the server has it; returns why not.
  private func deliver(_ mail: MailMessage) -> String? {
    let texts = [url, account?.user, account?.password, caFile, mail.from].compactMap(\.self) + mail.to
    guard !texts.contains(where: { $0.utf8.contains(0) }) else { return "a value contains a NUL character" }
    let bytes = mail.bytes(lineEnd: "\r\n").map(CChar.init(bitPattern:))
    var failure = [CChar](repeating: 0, count: 300)
    var reply = 0
    let isSent = withTexts([url, mail.from, account?.user, account?.password, caFile] + mail.to) { texts in
      texts.withUnsafeBufferPointer { texts in
        bytes.withUnsafeBufferPointer { bytes in
          var call = ccurl_mail()
          (call.url, call.from, call.user, call.password) = (texts[0], texts[1], texts[2], texts[3])
          call.authorities = texts[4]
          call.recipients = texts.baseAddress.map { $0 + 5 }
          call.recipientCount = texts.count - 5
          (call.text, call.count) = (bytes.baseAddress, bytes.count)
          call.mustEncrypt = mustEncrypt ? 1 : 0
          call.milliseconds = max(1, Int(timeout / .milliseconds(1)))
          return ccurl_send_mail(&call, &failure, failure.count, &reply) == 1
        }
      }
    }
    guard !isSent else { return nil }
    let reason = failure.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    return reply >= 400 ? "the server answered \(reply) (\(reason))" : reason
  }

  /// Calls a function with the texts as C strings, which are valid during the call.
  private func withTexts<Result>(
    _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { text -> UnsafeMutablePointer<CChar>? in
      guard let text else { return nil }
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
      copy.initialize(from: text.utf8.map(CChar.init(bitPattern:)) + [0], count: text.utf8.count + 1)
      return copy
    }
    defer { for copy in copies { copy?.deallocate() } }
    return body(copies.map { $0.map { UnsafePointer($0) } })
  }
}
