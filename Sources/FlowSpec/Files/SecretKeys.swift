internal import FlowModel
internal import YAMLSyntax

/// A secret that a file declares.
struct DeclaredSecret: Sendable {
  let name: Located<String>
  /// Where a run reads it; nil if it must be given.
  var source: Located<SecretSource>?
}

enum SecretKeys {
  static let construct = Construct(
    .secret, noun: "a secret", "Where a run reads a secret that nobody gives to it.",
    details: """
      `--secret-file`, the environment variable of the secret's name and a credential of systemd \
      (`$CREDENTIALS_DIRECTORY`) have priority, in this order. A run reads the source at most once, and only if a \
      selected flow uses the secret, or `http`, `stores` or `defaults` of its file. `check`, `explain`, `test` and \
      `--dry-run` read no source. A name without keys (`SHOP_TOKEN:`) must be given, as in the list of names.
      """, fields: [file, command, sops, key, timeout],
    requirements: [
      .oneOf(
        [file, command, sops], code: .missingKey, "the secret has no source",
        help: "add 'file', 'command' or 'sops', or leave the keys out: the secret is then given from outside"),
      .excludes([command, sops], file, code: .contradiction, help: "leave one of them out") { key, _ in
        "'file' and '\(key)' cannot be used together"
      },
      .excludes([sops], command, code: .contradiction, help: "leave one of them out") { _, _ in
        "'command' and 'sops' cannot be used together"
      },
      .excludes([key, timeout], file, code: .misplacedKey, help: "leave it out") { key, _ in
        "'\(key)' has no effect with 'file'"
      },
      .excludes([key], command, code: .misplacedKey, help: "leave it out") { _, _ in
        "'key' has no effect with 'command'"
      },
    ],
    frame: .init(
      """
      reactor: 1
      secrets:
        SHOP_TOKEN:
          ◆
      http: { base_url: https://api.example.com }
      flows: { orders: { resource: /orders } }
      """))

  static let file = Field(
    "file", .filePath, default: "none", "A file whose content is the secret, relative to the flow file.",
    details: "A line break at its end is not part of the secret. Kubernetes and Docker mount secrets as such files.",
    edit: .keepsResult, examples: ["file: /run/secrets/shop_token"], mistakes: ["file: ↓''": .missingValue])

  static let command = Field(
    "command", .list(of: .text), default: "none", "A program that prints the secret, with its arguments.",
    details: """
      It is started without a shell, in the working folder, with the environment of `reactor` and without a terminal. A \
      line break at the end of its output is not part of the secret. Whoever writes the flow file decides what is \
      executed.
      """, edit: .keepsResult, examples: ["command: [pass, show, shop/token]"],
    mistakes: ["command: ↓pass show shop/token": .wrongKind, "command: ↓[]": .missingValue])

  static let sops = Field(
    "sops", .filePath, default: "none", "A file that the program `sops` decrypts, relative to the flow file.",
    details: "`sops` finds the keys for it as on the command line, for example by `SOPS_AGE_KEY_FILE`.",
    edit: .keepsResult, examples: ["sops: secrets.enc.yaml", "sops: secrets.enc.yaml\nkey: shop.token"],
    mistakes: ["sops: ↓''": .missingValue])

  static let key = Field(
    "key", .text, default: "the secret's name", "The names that lead to the value in the decrypted file, with dots.",
    edit: .keepsResult, examples: ["sops: secrets.enc.yaml\nkey: shop.token"],
    mistakes: [
      "sops: secrets.enc.yaml\nkey: ↓shop..token": .invalidName, "command: [pass]\n↓key: token": .misplacedKey,
    ])

  static let timeout = Field(
    "timeout", .duration(0.1...600), default: "30s", "How long the command or `sops` may run before it is killed.",
    edit: .keepsResult, examples: ["command: [vault, read, -field=token, shop]\ntimeout: 10s"],
    mistakes: ["command: [pass]\ntimeout: ↓0s": .outOfRange, "file: token\n↓timeout: 1s": .misplacedKey])

  /// Reads a list of names, or a mapping of names to sources.
  static func secrets(_ reader: inout FlowReader, _ value: FieldValue) -> [DeclaredSecret]? {
    guard value.node.isMapping else {
      return Shape<[Located<String>]>.names(.secret).read(&reader, value)?.map { DeclaredSecret(name: $0) }
    }
    return reader.members(of: value, role: .secret)?.map { entry in
      var secret = DeclaredSecret(name: Located(entry.name, at: entry.key.range))
      if !entry.value.isNull { secret.source = source(&reader, entry.value, of: secret.name) }
      return secret
    }
  }

  private static func source(
    _ reader: inout FlowReader, _ node: YAMLNode, of name: Located<String>
  ) -> Located<SecretSource>? {
    guard node.isMapping else {
      return reader.fail(
        .wrongKind, "a flow file does not contain the values of secrets", at: node.range,
        help: "write 'secrets: [\(name.value)]' and give the value by the environment or --secret-file, or name its "
          + "source: '\(name.value): { file: /run/secrets/token }'")
    }
    guard let nodes = reader.open(node, as: construct, owner: name.range, scope: .nothing) else { return nil }
    let (file, command) = (reader.read(Self.file, of: nodes), reader.read(Self.command, of: nodes))
    let (sops, key) = (reader.read(Self.sops, of: nodes), reader.read(Self.key, of: nodes))
    let limit = reader.read(timeout, of: nodes)?.value ?? 30
    if let file { return Located(.file(file), at: name.range) }
    if let command {
      guard let program = command.first, !program.isEmpty else {
        return reader.fail(
          .missingValue, "'command' names no program", at: nodes.value(Self.command)?.node.range ?? node.range,
          help: "write the program and its arguments as a list: [pass, show, shop/token]")
      }
      return Located(.command(command, limit: limit), at: name.range)
    }
    guard let sops else { return nil }
    let names = (key ?? name.value).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains("") else {
      return reader.fail(
        .invalidName, "'key' has an empty name between its dots", at: nodes.value(Self.key)?.node.range ?? node.range,
        help: "write the names that lead to the value, for example 'shop.token'")
    }
    return Located(.sops(sops, key: names, limit: limit), at: name.range)
  }
}
