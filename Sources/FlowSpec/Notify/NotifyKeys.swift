internal import Expressions
internal import FlowModel
internal import YAMLSyntax

enum NotifyKeys {
  static let construct = Construct(
    .notify, noun: "a receiver", "Who is told about flows of the file, by one channel.",
    details: """
      After each run, `reactor run` compares how the flows are with what the receiver was told last. It is told about \
      a state once: a flow that fails again causes no second notice. A receiver that cannot be reached is told after \
      the next run, and the exit code of the run does not depend on it. `test`, `record`, `--dry-run`, `--fresh=never` \
      and `--no-notify` tell nobody.

      Templates of `body`, `command` and `headers` may use `notice`: its members are `title` (one line), `text` (a \
      line for each flow), `event` and `flow` (of the gravest line), `run`, `host`, `time`, and `flows`, a list with \
      `flow`, `event`, `text`, `state`, `records`, and, where there is one, `error`. Texts from servers are among \
      them. Secrets are masked.
      """, fields: [webhook, headers, body, command, mail, events, tags, per, timeout],
    requirements: [
      .oneOf(
        [webhook, command, mail], code: .missingKey, "the receiver has no channel",
        help: "add 'webhook', 'command' or 'mail'"),
      .excludes([command, mail], webhook, code: .contradiction, help: "make two receivers of them") { key, _ in
        "'webhook' and '\(key)' cannot be used together"
      },
      .excludes([mail], command, code: .contradiction, help: "make two receivers of them") { _, _ in
        "'command' and 'mail' cannot be used together"
      },
      .needs(
        headers, webhook, code: .misplacedKey, "'headers' has no effect without 'webhook'", help: "leave it out"),
      .needs(body, webhook, code: .misplacedKey, "'body' has no effect without 'webhook'", help: "leave it out"),
    ],
    frame: .init(
      """
      reactor: 1
      secrets: [CHAT_URL, CHAT_TOKEN]
      notify:
        operations:
          ◆
      http: { base_url: https://api.example.com }
      flows: { orders: { resource: /orders } }
      """))

  static let webhook = Field(
    "webhook", .url, default: "none", "A URL to which each notice is sent by POST, as JSON.",
    details: "A URL that lets everybody send who knows it is a secret. A status from 200 to 299 is a success.",
    edit: .keepsResult,
    examples: ["webhook: \"{{ secrets.CHAT_URL }}\"", "webhook: https://alerts.example.com/v1/notices"],
    mistakes: ["webhook: ↓alerts.example.com": .invalidURL, "webhook: \"{{ secrets.↓CHAT }}\"": .templateUnknownSecret])

  static let headers = Field(
    "headers", .headers, default: "none", "Request headers by name.", edit: .keepsResult,

    examples: [
      "webhook: https://alerts.example.com\nheaders: { Authorization: \"Bearer {{ secrets.CHAT_TOKEN }}\" }"
    ],
    mistakes: [
      "webhook: https://alerts.example.com\nheaders: { ↓Host: example.com }": .reservedHeader,
      "command: [page]\n↓headers: { X-Key: a }": .misplacedKey,
    ])

  static let body = Field(
    "body", .templatedJSON, default: "the members of `notice`", "The JSON document that is sent.",
    edit: .keepsResult,
    examples: [
      "webhook: \"{{ secrets.CHAT_URL }}\"\nbody: { text: \"{{ notice.text }}\" }",
      "webhook: https://alerts.example.com\nper: flow\nbody: { alias: \"{{ notice.flow }}\", resolved: \"{{ notice.event == 'recovered' }}\" }",
    ],
    mistakes: ["webhook: https://alerts.example.com\nbody: { text: \"{{ notice.↓txt }}\" }": .expressionName])

  static let command = Field(
    "command", .list(of: .template), default: "none", "A program that gets each notice, with its arguments.",
    details: """
      It is started without a shell, in the working folder, with the environment of `reactor`. The members of \
      `notice` are its standard input, as JSON on one line. The exit code 0 is a success. Whoever writes the flow \
      file decides what is executed.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["command: [logger, -t, reactor, \"{{ notice.title }}\"]", "command: [page, --priority, high]"],
    mistakes: [
      "command: ↓logger -t reactor": .wrongKind, "command: ↓[]": .missingValue,
      "command: [page, \"↓{{ secrets.CHAT_TOKEN }}\"]": .templateSecretNotAllowed,
    ])

  static let mail = Field(
    "mail", .whole(.construct(.mail)), default: "none", "A mail for each notice.", edit: .keepsResult,

    examples: [
      "mail: { to: operations@example.com, from: reactor@example.com }",
      "mail: { to: [night@example.com], from: reactor@example.com, server: \"smtp://mail.example.com\" }",
    ],
    mistakes: ["mail: ↓operations@example.com": .wrongKind])

  static let events = Field(
    "events", .list(of: .choice(of: NoticeEvent.self)), default: "[failed, missing, stale, recovered]",
    "What the receiver is told.",
    details: """
      `failed`: the flow did not pass. `missing`: it passed without all of its records, or without its result. \
      `stale`: its result is older than `expect.freshness`; also for flows that the run did not include. \
      `recovered`: what the receiver was told is over. `first`: the flow passed for the first time.
      """, edit: .keepsResult,
    examples: ["command: [page]\nevents: [failed, recovered]", "command: [page]\nevents: [first]"],
    mistakes: [
      "command: [page]\nevents: [↓failure]": .unknownValue, "command: [page]\nevents: ↓failed": .wrongKind,
      "command: [page]\nevents: ↓[]": .missingValue,
    ])

  static let tags = Field(
    "tags", .list(of: .name(.tag)), default: "none: all flows of the file",
    "Tags. The receiver is told about the flows that have one of them.", edit: .keepsResult,

    examples: ["command: [page]\ntags: [critical]"],
    mistakes: ["command: [page]\ntags: [↓'a b']": .invalidName, "command: [page]\ntags: ↓critical": .wrongKind])

  static let per = Field(
    "per", .choice(["run", "flow"]), default: "run", "Whether a notice is about a run, or about one flow.",
    details: """
      With `run`, a run causes at most one notice for a receiver, also for flows of several files that declare the \
      same receiver. With `flow` it causes one for each flow, at most 100; the rest follow after the next run.
      """, edit: .keepsResult,
    examples: ["command: [page]\nper: flow"], mistakes: ["command: [page]\nper: ↓file": .unknownValue])

  static let timeout = Field(
    "timeout", .duration(0.1...600), default: "10s", "The maximum time for one notice.", edit: .keepsResult,

    examples: ["command: [page]\ntimeout: 30s"], mistakes: ["command: [page]\ntimeout: ↓0s": .outOfRange])

  static let stored: [Stored<ReceiverDeclaration>] = [
    .init(events) { $0.events = Set($1) }, .init(tags) { $0.tags = Set($1.map(\.value)) },
    .init(per) { $0.isPerFlow = $1 == "flow" }, .init(timeout) { $0.timeout = $1.value },
  ]

  /// Reads the receivers of a file. Receivers with errors are left out.
  static func receivers(_ reader: inout FlowReader, _ value: FieldValue?) -> [ReceiverDeclaration] {
    guard let value, !value.node.isNull else { return [] }
    let fileSecrets = reader.usedSecrets
    defer { reader.usedSecrets = fileSecrets }
    return (reader.members(of: value, role: .receiver) ?? []).compactMap { entry in
      // The flows do not need the secrets of receivers, so they are apart from those that a run reads in any case.
      reader.usedSecrets = []
      var receiver = receiver(&reader, entry, in: value.scope.adding(.init("notice", noticeType)))
      receiver?.secrets = reader.usedSecrets
      return receiver
    }
  }

  private static func receiver(
    _ reader: inout FlowReader, _ entry: YAMLMapping.Entry, in scope: Scope
  ) -> ReceiverDeclaration? {
    let name = Located(entry.name, at: entry.key.range)
    guard let nodes = reader.open(entry.value, as: construct, owner: name.range, scope: scope) else { return nil }
    // All keys are read before the first nil, so that all errors are reported.
    let channel = channel(&reader, nodes)
    var receiver = ReceiverDeclaration(name: name, channel: channel ?? .command([]))
    reader.fill(&receiver, with: stored, from: nodes)
    if let events = nodes.value(events), case .sequence(let words) = events.node.content, words.isEmpty {
      return reader.fail(
        .missingValue, "the receiver is told nothing", at: events.node.range,
        help: "name what it is told: \(NoticeEvent.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return channel == nil ? nil : receiver
  }

  /// Reads how notices reach a receiver; nil after an error was reported.
  private static func channel(_ reader: inout FlowReader, _ nodes: FieldNodes) -> ReceiverDeclaration.Channel? {
    let url = reader.read(webhook, of: nodes)
    let (headers, body) = (reader.read(headers, of: nodes) ?? [], reader.read(body, of: nodes))
    let words = reader.read(command, of: nodes)
    let mail = nodes.value(mail).flatMap { MailKeys.mail(&reader, $0) }
    if let url { return .webhook(url, headers: headers, body: body) }
    if let mail { return .mail(mail) }
    guard let words, let value = nodes.value(command) else { return nil }
    guard let program = words.first, program.value.constantText != "" else {
      // Words with errors are left out, and were reported.
      if case .sequence(let written) = value.node.content, !written.isEmpty, words.isEmpty { return nil }
      return reader.fail(
        .missingValue, "'command' names no program", at: value.node.range,
        help: "write the program and its arguments as a list: [logger, -t, reactor, \"{{ notice.title }}\"]")
    }
    return .command(words)
  }

  /// The type of `notice` in the templates of a receiver.
  static let noticeType = ExpressionType.object([
    "title": .string, "text": .string, "event": .string, "flow": .string, "run": .string, "host": .string,
    "time": .timestamp,
    "flows": .list(
      .object([
        "flow": .string, "event": .string, "text": .string, "state": .string, "records": .int,
        "error": .optional(.string),
      ])),
  ])
}
