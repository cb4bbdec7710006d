import Foundation
import JSONSyntax
import TestSupport
import Testing

/// Notices by mail: through a mail server (aiosmtpd), and through the program `sendmail`.
@Suite(.timeLimit(.minutes(2)))
struct NotifyMailTests {
  /// A mail server that prints each mail, read by Python's reader, as a line of JSON. With `login` it demands an account
  /// and offers encryption.
  private static let mailServer = """
    import asyncio, email, email.policy, json, ssl, sys
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import SMTP, AuthResult

    class Handler:
        async def handle_DATA(self, server, session, envelope):
            mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
            print(json.dumps({
                "from": envelope.mail_from, "to": envelope.rcpt_tos, "header_from": str(mail["From"]),
                "subject": str(mail["Subject"]), "auto": str(mail["Auto-Submitted"]), "id": str(mail["Message-ID"]),
                "date": mail["Date"].datetime.isoformat(), "text": mail.get_content().replace("\\r\\n", "\\n"),
                "defects": [repr(defect) for defect in mail.defects], "encrypted": session.ssl is not None,
                "user": session.auth_data.login.decode() if session.auth_data else None}), flush=True)
            return "250 OK"

    def login(server, session, envelope, mechanism, data):
        return AuthResult(success=data.password == b"tea-and-biscuits", handled=False, auth_data=data)

    def certificate():
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
        return context

    class Mails(Controller):
        def factory(self):
            if sys.argv[2:3] == ["starttls"]: return SMTP(self.handler, tls_context=certificate(), require_starttls=True)
            if sys.argv[2:3] != ["login"]: return SMTP(self.handler)
            return SMTP(self.handler, authenticator=login, auth_required=True, auth_require_tls=False)

    host = "127.0.0.2" if sys.argv[3:] == ["elsewhere"] else "127.0.0.1"
    controller = Mails(Handler(), hostname=host, port=int(sys.argv[1]),
                       ssl_context=certificate() if sys.argv[2:3] == ["tls"] else None)
    controller.start()
    print("ready", flush=True)
    asyncio.new_event_loop().run_forever()
    """

  private func shop(_ mail: String) throws -> (Workspace, ScriptedServer) {
    let server = try ScriptedServer { _ in
      let body = "Käse fehlt"
      return [.send(Array("HTTP/1.1 500 Odd\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      secrets: [MAIL_PASSWORD]
      http: { base_url: "\(server.url)" }
      defaults: { retry: { max: 1, wait: 1ms }, reachability: false }
      notify:
        night: { mail: { \(mail) } }
      flows: { orders: { resource: /orders } }

      """, to: "flows/shop.yaml")
    return (workspace, server)
  }

  /// The Python that has the mail server; nil with a line that says that it is not there.
  private func python(_ folder: URL) async throws -> String? {
    let readers = Repository.root.appendingPathComponent("scripts/report-readers").path
    let python = try await Program("/bin/bash", [readers, "python"], in: folder).end()
    if python.status == 0 { return python.stdout.trimmingCharacters(in: .whitespacesAndNewlines) }
    print("skipped: mails by SMTP, for aiosmtpd is not there; scripts/report-readers install")
    return nil
  }

  private func start(_ python: String, in workspace: Workspace, _ arguments: String...) async throws -> (Program, Int)?
  {
    try workspace.write(Self.mailServer, to: "mails.py")
    // The port may be taken between its choice and its use.
    for _ in 0..<5 {
      let free = try ScriptedServer { _ in [] }
      let port = Int(free.port)
      free.stop()
      let server = try Program(python, ["mails.py", "\(port)"] + arguments, in: workspace.folder)
      if await server.wait(until: { $0.stdout.hasSuffix("ready\n") || !$0.isRunning }), server.isRunning {
        return (server, port)
      }
    }
    Issue.record("the mail server does not start")
    return nil
  }

  @Test func `a mail server gets a mail that readers understand`() async throws {
    let workspace = try Workspace()
    guard let python = try await python(workspace.folder), let (mails, port) = try await start(python, in: workspace)
    else { return }
    defer { mails.signal(SIGKILL) }
    let (shop, server) = try shop(
      "to: [night@example.com, day@example.com], from: reactor@example.com, server: \"smtp://127.0.0.1:\(port)\"")
    defer { server.stop() }
    let outcome = try await shop.reactor("run")
    #expect(outcome.status == 5 && !outcome.stderr.contains("warning"), "\(outcome.stderr)")
    #expect(try await shop.reactor("run").status == 5)
    let lines = mails.stdout.split(separator: "\n").dropFirst()
    #expect(lines.count == 1)
    let mail = try JSONValue(parsing: Array(try #require(lines.first).utf8))
    #expect(mail["from"]?.string == "reactor@example.com" && mail["header_from"]?.string == "reactor@example.com")
    #expect(mail["to"]?.array?.map(\.string) == ["night@example.com", "day@example.com"])
    #expect(mail["subject"]?.string == "reactor: shop.orders failed" && mail["auto"]?.string == "auto-generated")
    #expect(
      mail["text"]?.string?.hasPrefix("shop.orders failed: the server answered with status 500: Käse fehlt\n") == true
    )
    #expect(mail["defects"]?.array == [] && mail["id"]?.string?.hasSuffix("@example.com>") == true)
  }

  @Test func `an account is used, and a wrong password is a warning that does not show it`() async throws {
    let workspace = try Workspace()
    guard let python = try await python(workspace.folder),
      let (mails, port) = try await start(python, in: workspace, "login")
    else { return }
    defer { mails.signal(SIGKILL) }
    let (shop, server) = try shop(
      "to: night@example.com, from: reactor@example.com, server: \"smtp://127.0.0.1:\(port)\", user: reactor, "
        + "password: \"{{ secrets.MAIL_PASSWORD }}\"")
    defer { server.stop() }
    let wrong = try await shop.reactor("run", environment: ["MAIL_PASSWORD": "coffee-and-cake"])
    #expect(wrong.status == 5)
    #expect(
      wrong.stderr.contains("receiver 'night' (mail night@example.com by smtp://127.0.0.1:\(port)) could not be told"),
      "\(wrong.stderr)")
    #expect(wrong.stderr.contains("the server answered 535") && !wrong.stderr.contains("coffee"), "\(wrong.stderr)")
    let right = try await shop.reactor("run", environment: ["MAIL_PASSWORD": "tea-and-biscuits"])
    #expect(!right.stderr.contains("warning"), "\(right.stderr)")
    let mail = try JSONValue(parsing: Array(try #require(mails.stdout.split(separator: "\n").last).utf8))
    #expect(mail["user"]?.string == "reactor")
  }

  @Test func `no password goes over a connection to another machine that is not encrypted`() async throws {
    let workspace = try Workspace()
    guard let python = try await python(workspace.folder),
      let (mails, port) = try await start(python, in: workspace, "login", "elsewhere")
    else { return }
    defer { mails.signal(SIGKILL) }
    // An address of this machine that is not among the names that the program trusts.
    let (shop, server) = try shop(
      "to: night@example.com, from: reactor@example.com, server: \"smtp://127.0.0.2:\(port)\", user: reactor, "
        + "password: \"{{ secrets.MAIL_PASSWORD }}\"")
    defer { server.stop() }
    let outcome = try await shop.reactor("run", environment: ["MAIL_PASSWORD": "tea-and-biscuits"])
    #expect(
      outcome.status == 5 && outcome.stderr.contains("could not be told: STARTTLS not supported"), "\(outcome.stderr)")
    #expect(mails.stdout == "ready\n")
  }

  @Test(arguments: ["tls", "starttls"])
  func `a connection is encrypted, and the certificate of the server is checked`(_ kind: String) async throws {
    let workspace = try Workspace()
    guard let python = try await python(workspace.folder), let keys = try TLSServer(.good) else { return }
    defer { keys.stop() }
    guard
      let (mails, port) = try await start(
        python, in: workspace, kind, keys.file("cert.pem"), keys.file("key.pem"))
    else { return }
    defer { mails.signal(SIGKILL) }
    let url = "\(kind == "tls" ? "smtps" : "smtp")://127.0.0.1:\(port)"
    let keysOfMail = "to: night@example.com, from: reactor@example.com, server: \"\(url)\""
    let (shop, server) = try shop(keysOfMail)
    defer { server.stop() }
    let unknown = try await shop.reactor("run")
    #expect(unknown.status == 5 && unknown.stderr.contains("could not be told: SSL certificate"), "\(unknown.stderr)")
    #expect(mails.stdout == "ready\n")
    try shop.replace(keysOfMail, with: keysOfMail + ", ca_file: ca.pem", in: "flows/shop.yaml")
    try shop.write(String(contentsOfFile: keys.authority, encoding: .utf8), to: "flows/ca.pem")
    let known = try await shop.reactor("run")
    #expect(known.status == 5 && !known.stderr.contains("warning"), "\(known.stderr)")
    let mail = try JSONValue(parsing: Array(try #require(mails.stdout.split(separator: "\n").last).utf8))
    // The server knows only of a connection that it has encrypted later.
    #expect(mail["encrypted"]?.bool == (kind == "starttls"))
  }

  @Test func `sendmail of this machine gets the mail and the addresses`() async throws {
    let (shop, server) = try shop("to: [night@example.com, day@example.com], from: reactor@example.com")
    defer { server.stop() }
    try shop.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$PWD/words\"\ncat > \"$PWD/mail\"\n", to: "bin/sendmail")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: shop.folder.appendingPathComponent("bin/sendmail").path)
    let path = "\(shop.folder.path)/bin:/usr/bin:/bin"
    let outcome = try await shop.reactor("run", environment: ["PATH": path])
    #expect(outcome.status == 5 && !outcome.stderr.contains("warning"), "\(outcome.stderr)")
    #expect(
      shop.text("words")?.split(separator: "\n").map(String.init)
        == ["-oi", "-f", "reactor@example.com", "--", "night@example.com", "day@example.com"])
    let mail = try #require(shop.text("mail"))
    #expect(mail.contains("\nSubject: reactor: shop.orders failed\n") && !mail.contains("\r"))
  }
}
