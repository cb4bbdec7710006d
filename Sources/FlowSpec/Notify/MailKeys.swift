internal import FlowModel
internal import SourceDiagnostics

enum MailKeys {
  static let construct = Construct(
    .mail, noun: "'mail'", "How notices are sent by mail.",
    details: """
      The mails are plain text: the subject is `notice.title`, the text `notice.text`. With `user` and `password` the \
      connection must be encrypted, unless the server is on this machine; without them it is encrypted if the server \
      offers it.
      """, fields: [to, from, server, user, password, caFile],
    requirements: [
      .needs(user, server, code: .misplacedKey, "'user' has no effect without 'server'", help: "leave it out"),
      .needs(caFile, server, code: .misplacedKey, "'ca_file' has no effect without 'server'", help: "leave it out"),
      .needs(
        user, password, code: .missingKey, "'user' needs a password", help: "add 'password', or leave 'user' out"),
      .needs(
        password, user, code: .missingKey, "'password' needs an account", help: "add 'user', or leave 'password' out"),
    ],
    frame: .init(
      """
      reactor: 1
      secrets: [MAIL_PASSWORD]
      notify:
        operations:
          mail:
            ◆
      http: { base_url: https://api.example.com }
      flows: { orders: { resource: /orders } }
      """, supplies: ["to: operations@example.com", "from: reactor@example.com"]))

  static let to = Field(
    "to", .oneOrMore(of: .filledLine), default: .required, "The addresses of the recipients.",
    edit: .keepsResult, examples: ["to: operations@example.com", "to: [night@example.com, day@example.com]"],
    mistakes: ["to: ↓operations": .invalidMailAddress, "to: [↓'Ann <ann@example.com>']": .invalidMailAddress])

  static let from = Field(
    "from", .filledLine, default: .required, "The address of the sender.", edit: .keepsResult,
    examples: ["from: reactor@example.com"],
    mistakes: ["from: ↓reactor": .invalidMailAddress, "from: ↓''": .missingValue])

  static let server = Field(
    "server", .filledLine, default: "none: the program `sendmail` of this machine sends",
    "The mail server: smtp://HOST:PORT, or smtps://HOST:PORT if the connection is encrypted from its beginning.",
    details: "Without a port: 587 for smtp, 465 for smtps.", edit: .keepsResult,
    examples: ["server: smtp://mail.example.com:587", "server: smtps://mail.example.com"],
    mistakes: ["server: ↓mail.example.com": .invalidURL, "server: ↓https://mail.example.com": .invalidURL])

  static let user = Field(
    "user", .filledLine, default: "none", "The name of the account at the server.", edit: .keepsResult,
    examples: [
      "server: smtps://mail.example.com\nuser: reactor\npassword: \"{{ secrets.MAIL_PASSWORD }}\"",
      "server: smtps://mail.example.com\nuser: me\npassword: \"{{ secrets.MAIL_PASSWORD }}\"",
    ],
    mistakes: ["server: smtps://mail.example.com\n↓user: reactor": .missingKey])

  static let password = Field(
    "password", .credential(), default: "none", "The password of the account.", edit: .keepsResult,
    examples: [
      "server: smtps://mail.example.com\nuser: reactor\npassword: \"{{ secrets.MAIL_PASSWORD }}\"",
      "server: smtps://mail.example.com\nuser: reactor\npassword: \"a{{ secrets.MAIL_PASSWORD }}\"",
    ],
    mistakes: ["server: smtps://mail.example.com\nuser: reactor\npassword: ↓tea": .plainCredential])

  static let caFile = Field(
    "ca_file", .filePath, default: "the system's certificates",
    "A PEM file of certificate authorities to trust, relative to the flow file.", edit: .keepsResult,
    examples: ["server: smtps://mail.example.com\nca_file: ca/internal.pem"],
    mistakes: ["server: smtps://mail.example.com\nca_file: ↓''": .missingValue, "↓ca_file: ca.pem": .misplacedKey])

  static let stored: [Stored<MailDeclaration>] = [
    .init(to) { $0.to = $1 }, .init(from) { $0.from = $1 }, .init(server) { $0.server = $1 },
    .init(user) { $0.user = $1 }, .init(password) { $0.password = $1 }, .init(caFile) { $0.caFile = $1 },
  ]

  /// Reads how notices are sent by mail; nil after an error was reported.
  static func mail(_ reader: inout FlowReader, _ value: FieldValue) -> MailDeclaration? {
    guard let nodes = reader.open(value.node, as: construct, owner: value.key, scope: value.scope) else { return nil }
    var mail = MailDeclaration()
    reader.fill(&mail, with: stored, from: nodes)
    guard !mail.to.isEmpty, mail.from != nil else { return nil }
    for address in mail.to + [mail.from].compactMap({ $0 }) {
      guard let text = address.value.constantText, !MailAddressText.isAddress(text) else { continue }
      return reader.fail(
        .invalidMailAddress, "'\(PrintableText.of(text))' is not a mail address", at: address.range,
        help: "write only the address, such as operations@example.com, without a name")
    }
    if let server = mail.server, let text = server.value.constantText, MailServerText.parts(of: text) == nil {
      return reader.fail(
        .invalidURL, "'\(PrintableText.of(text))' is not the URL of a mail server", at: server.range,
        help: "write smtp://mail.example.com:587, or smtps://mail.example.com; user and password are keys of 'mail'")
    }
    return mail
  }
}
