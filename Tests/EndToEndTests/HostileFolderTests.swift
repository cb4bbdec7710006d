import Foundation
import TestSupport
import Testing

/// Flow files of a stranger: folders with links, pipes and files that grow when they are loaded.
@Suite(.timeLimit(.minutes(5))) struct HostileFolderTests {
  private static let secret = "s3cr3t-token-0123456789"

  private static let texts = [
    "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:9' }\nsecrets: [TOK]\nflows:\n  a: { resource: '/{{ secrets.TOK }}' }\n",
    "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:9' }\nflows:\n  b: { for: { file: ../items.jsonl, vars: { x: id } }, resource: '/{{ vars.x }}' }\n",
    "reactor: 1\nvars:\n  a0: xxxxxxxxxxxxxxxx\n"
      + (1...40).map { "  a\($0): { value: '{{ vars.a\($0 - 1) }}{{ vars.a\($0 - 1) }}' }\n" }.joined()
      + "http: { base_url: 'http://127.0.0.1:9' }\nflows:\n  c: { resource: '/{{ vars.a40 }}' }\n",
    "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:9' }\nflows:\n"
      + (1...4).map {
        "  d\($0): { for: { values: [\((1...9000).map { String($0) }.joined(separator: ","))], as: i }, resource: '/{{ vars.i }}' }\n"
      }
      .joined(),
    String(repeating: "[", count: 20_000),
    "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n",
    String(repeating: "? \n", count: 50_000), "key: value\n\u{0}", "",
  ]

  /// Puts something with a name into a folder.
  private static func put(_ name: String, in folder: String, _ random: inout SeededGenerator) throws {
    let path = "\(folder)/\(name)"
    let files = FileManager.default
    switch Int.random(in: 0..<8, using: &random) {
    case 0: _ = mkfifo(path, 0o600)
    case 1:
      let targets = [
        "/proc/self/environ", "/etc/passwd", "..", ".", "/", "nowhere", "/dev/zero", "/proc/self/fd/0", path,
      ]
      try? files.createSymbolicLink(
        atPath: path, withDestinationPath: targets[Int.random(in: 0..<targets.count, using: &random)])
    case 2:
      try? files.createDirectory(atPath: path, withIntermediateDirectories: false)
      for _ in 0..<Int.random(in: 0..<4, using: &random) { try put(name, in: path, &random) }
    default:
      let text = texts[Int.random(in: 0..<texts.count, using: &random)]
      _ = files.createFile(atPath: path, contents: Data(text.utf8))
    }
  }

  @Test(arguments: 1...24)
  func `checking them ends soon, reads nothing elsewhere and shows no secret`(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let workspace = try Workspace()
    let root = workspace.folder.path
    for folder in ["flows", "flows/schemas", "schemas"] {
      if Int.random(in: 0..<5, using: &random) == 0 {
        try Self.put(folder.replacingOccurrences(of: "/", with: "-"), in: root, &random)
      } else {
        try? FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
    }
    try Self.put("items.jsonl", in: root, &random)
    for folder in ["flows", "schemas"] {
      for name in ["a.yaml", "b.yml", "sub", "customer.yaml"].shuffled(using: &random).prefix(3) {
        try? Self.put(name, in: "\(root)/\(folder)", &random)
      }
    }
    for command in [["check"], ["list"], ["explain", "a.a"], ["run", "--fresh=never"]] {
      let outcome = try await workspace.start(
        command, environment: ["TOK": Self.secret, "OTHER": "other-" + Self.secret]
      )
      .end(within: 20)
      #expect((0...6).contains(outcome.status) || outcome.status == 74, "\(seed) \(command): \(outcome.status)")
      let said = outcome.stdout + outcome.stderr
      #expect(!said.contains(Self.secret) && !said.contains("root:x:"), "\(seed) \(command): \(said.prefix(400))")
      #expect(said.utf8.count < 2_000_000, "\(seed) \(command)")
    }
  }
}
