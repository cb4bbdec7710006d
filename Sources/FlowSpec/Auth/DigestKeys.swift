import FlowModel

enum DigestKeys {
  static let construct = Construct(
    .digest, noun: "'digest'", "User name and password, of which only hashes (digests) are sent.",
    details: """
      The first request of a run has no credentials. The response with status 401 contains a challenge, and the \
      request is sent again with a digest. Later requests already contain a digest for the same challenge. Of MD5 \
      and SHA-256, the strongest algorithm that the server offers is used, with the protection `auth`, else \
      `auth-int`. A password that the server refuses is sent only once in a run.
      """, fields: [username, password],
    frame: AuthKeys.frame("digest:\n  ◆", supplies: ["username: me", "password: \"{{ secrets.PASSWORD }}\""]))

  static let stored: [Stored<UserPassword<Located<Template>>>] = [
    .init(username) { $0.username = $1 }, .init(password) { $0.password = $1 },
  ]

  static let username = Field(
    "username", .userName(.filledLine, "the digest joins user name, realm and password with colons"),
    default: .required,
    "The user name; no colon.", edit: .asksAnew,
    examples: ["username: \"{{ vars.user }}\""],
    mistakes: ["username: ↓a:b": .authValue, "username: ↓''": .missingValue])

  static let password = Field(
    "password", .credential(mayBeEmpty: true), default: .required, "The password; may be empty.", edit: .asksAnew,
    examples: ["password: \"{{ secrets.PASSWORD }}\"", "password: ''"],
    mistakes: ["password: ↓hunter2": .plainCredential])
}
