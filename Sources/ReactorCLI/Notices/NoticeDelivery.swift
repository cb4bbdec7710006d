internal import Expressions
internal import Fixtures
internal import FlowModel
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import MailTransport
internal import ProgramCalls
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Delivers notices to one receiver, whose secrets are known.
struct NoticeDelivery: Sendable {
  /// Why a notice did not reach its receiver.
  struct Failure: Error {
    let message: String
  }

  let receiver: NoticeReceiver
  /// The values of the file that declares the receiver.
  private let scope: ResolutionScope
  private let environment: [String: String]
  /// Called for each text that an expression made from secrets, before a message can contain it.
  private let learn: @Sendable (String) -> Void

  /// Creates a delivery.
  ///
  /// - Parameter scope: the values of the file that declares the receiver
  init(
    to receiver: NoticeReceiver, _ scope: ResolutionScope, _ environment: [String: String],
    learn: @escaping @Sendable (String) -> Void
  ) {
    (self.receiver, self.scope, self.environment, self.learn) = (receiver, scope, environment, learn)
  }

  /// Delivers a notice within the receiver's time limit.
  func deliver(_ notice: Notice) async throws(Failure) {
    var filled = scope
    filled.late["notice"] = notice.expression
    let limit = Duration.seconds(receiver.declaration.timeout)
    switch receiver.declaration.channel {
    case .webhook(let url, let headers, let body):
      try await post(notice, to: url, headers, body, in: filled, limit)
    case .command(let words):
      try await call(try words.map { (word) throws(Failure) in try text(word, in: filled) }, notice, limit)
    case .mail(let mail): try await send(notice, by: mail, in: filled, limit)
    }
  }

  // MARK: - Channels

  private func post(
    _ notice: Notice, to url: Located<Template>, _ headers: [NamedTemplate], _ body: Located<TemplatedJSON>?,
    in scope: ResolutionScope, _ limit: Duration
  ) async throws(Failure) {
    guard let url = RequestURL(try text(url, in: scope)) else {
      throw Failure(message: "'webhook' is not an http or https URL")
    }
    var delivery = Delivery(url: url, timeout: limit, proxies: HTTPProxies(environment: environment))
    for header in headers {
      delivery.fields.append(Headers.Field(header.name.value, try text(header.value, in: scope)))
    }
    var document = notice.json
    if let body {
      document = try resolved(in: scope) { () throws(ResolutionError) in try body.value.resolve(with: scope).value }
    }
    if let problem = await delivery.send([JSONWriter.bytes(document)]) { throw Failure(message: problem) }
  }

  private func call(_ words: [String], _ notice: Notice, _ limit: Duration) async throws(Failure) {
    var call = ProgramCall(words, environment: environment, limit: limit)
    call.input = JSONWriter.bytes(notice.json) + [0x0A]
    try await run(call)
  }

  private func send(
    _ notice: Notice, by mail: MailDeclaration, in scope: ResolutionScope, _ limit: Duration
  ) async throws(Failure) {
    let addresses = try (mail.to + [mail.from].compactMap(\.self)).map { (address) throws(Failure) in
      let text = try text(address, in: scope)
      guard MailAddressText.isAddress(text) else { throw Failure(message: "'\(text)' is not a mail address") }
      return text
    }
    let id = "\(String(ContentHash.of(Array("\(notice.run)\u{0}\(receiver.id)\u{0}\(notice.title)".utf8)), radix: 36))"
    let message = MailMessage(
      from: addresses.last ?? "", to: addresses.dropLast(), subject: "reactor: \(notice.title)", text: notice.text,
      id: "reactor.\(id).\(notice.time)", time: notice.time)
    guard let declared = mail.server else {
      // The addresses are arguments, so that no text of the mail can become one.
      var call = ProgramCall(
        [sendmail, "-oi", "-f", message.from, "--"] + message.to, environment: environment, limit: limit)
      call.input = message.bytes(lineEnd: "\n")
      return try await run(call)
    }
    guard let parts = MailServerText.parts(of: try text(declared, in: scope)) else {
      throw Failure(message: "'server' is not the URL of a mail server")
    }
    var server = MailServer(url: parts.url)
    (server.timeout, server.caFile) = (limit, mail.caFile)
    if let user = mail.user, let password = mail.password {
      server.account = (try text(user, in: scope), try text(password, in: scope))
      server.mustEncrypt = !parts.isThisMachine
    }
    do throws(MailServer.Failure) { try await server.send(message) } catch { throw Failure(message: error.message) }
  }

  /// The program that accepts mails on this machine: the one on PATH, or else where system users' PATH has none.
  private var sendmail: String {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let paths = (folders + ["/usr/sbin", "/usr/lib"]).map { "\($0)/sendmail" }
    return paths.first { ProgramCall.isExecutable($0) } ?? "sendmail"
  }

  private func run(_ call: ProgramCall) async throws(Failure) {
    let name = call.words.first ?? ""
    let outcome: ProgramCall.Outcome
    do throws(ProgramCall.Failure) { outcome = try await call.run() } catch {
      throw Failure(message: "'\(name)' \(error.message)")
    }
    guard !outcome.isSuccess else { return }
    throw Failure(message: "'\(name)' \(outcome.message)")
  }

  // MARK: - Values

  private func text(_ template: Located<Template>, in scope: ResolutionScope) throws(Failure) -> String {
    try resolved(in: scope) { () throws(ResolutionError) in try template.value.resolve(with: scope).text }
  }

  private func resolved<Value>(
    in scope: ResolutionScope, _ value: () throws(ResolutionError) -> Value
  ) throws(Failure) -> Value {
    defer { scope.derivedSecrets.all.forEach(learn) }
    do throws(ResolutionError) { return try value() } catch { throw Failure(message: error.diagnostic.message) }
  }
}

extension Notice {
  /// The value of `notice` in expressions.
  fileprivate var expression: ExpressionValue {
    guard case .object(let object) = json else { return .null }
    return .map(
      object.members.map { member in
        let time = member.name == "time" ? ExpressionTimestamp(secondsSince1970: time) : nil
        return ExpressionMember(member.name, time.map { .timestamp($0) } ?? ExpressionValue(member.value))
      })
  }
}

extension MailServerText.Parts {
  /// Whether the server is on this machine, so that nobody can read what is sent to it.
  fileprivate var isThisMachine: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased()) }
}
