import Foundation
import Testing

/// Secrets that a run reads from files, programs and SOPS.
@Suite(.timeLimit(.minutes(2))) struct SecretSourceTests {
  /// A stand-in for `pass`: notes each call, and does what its last argument says.
  private static let pass = """
    #!/bin/sh
    echo "pass $*" >>calls
    case $2 in
      api) echo pass-value-4711 ;;
      lines) printf 'one-line\\n\\n' ;;
      empty) echo ;;
      large) head -c 1048577 /dev/zero | tr '\\0' x ;;
      binary) printf 'a\\377' ;;
      locked) echo hush-hush-4711; echo "gpg: hush-hush-4711 is locked" >&2; exit 2 ;;
      slow) sleep 600 & echo $! >child; sleep 600 ;;
      killed) kill -9 $$ ;;
    esac
    """

  /// A stand-in for `sops`, which this machine need not have: notes each call, and prints a file as if decrypted.
  private static let sops = """
    #!/bin/sh
    echo "sops $*" >>calls
    [ "$1 $2 $3" = "--decrypt --output-type json" ] || exit 9
    cat "$4"
    """

  private static let head = "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:9' }\n"

  /// A flow for each secret, which sends it as a header to nobody.
  private static func flows(_ secrets: [(name: String, source: String)]) -> String {
    head + "secrets:\n" + secrets.map { "  \($0.name): \($0.source)\n" }.joined() + "flows:\n"
      + secrets.map {
        "  \($0.name.lowercased()): { resource: /x, reachability: false, retry: 0, http: { headers: { x: '{{ secrets.\($0.name) }}' } } }\n"
      }.joined()
  }

  private static let usual = flows([
    ("A", "{ file: ../token }"), ("B", "{ command: [pass, show, api] }"),
    ("C", "{ sops: secrets.json, key: api.token }"), ("D", "{ sops: secrets.json, key: list.1 }"), ("E", ""),
  ])

  /// Runs a shell line beside flow files, with the stand-ins on the path.
  private func shell(_ line: String, _ flows: String = usual) async throws -> ProcessTests.Ended {
    let bench = try Workbench([
      "flows/a.yaml": flows, "token": "file-value-4711\n", "bin/pass": Self.pass, "bin/sops": Self.sops,
      "flows/secrets.json": "{\"api\":{\"token\":\"sops-value-4711\"},\"list\":[1,2345678],\"F\":true}",
    ])
    return try await ProcessTests().shell(
      "chmod +x bin/*; export PATH=$PWD/bin:$PATH; touch calls; \(line)", in: bench)
  }

  @Test func `a run reads what the selected flows use, once`() async throws {
    let ended = try await shell("\"$REACTOR\" run -s a.a -s a.b -s a.c -s a.d; cat calls")
    #expect(ended.code == 0, "\(ended.err)")
    #expect(
      ended.out.hasSuffix("pass show api\nsops --decrypt --output-type json flows/secrets.json\n"), "\(ended.out)")
    // Each flow got as far as the connection.
    #expect(ended.err.components(separatedBy: "[run.no-connectivity]").count == 5, "\(ended.err)")
    let one = try await shell("\"$REACTOR\" run -s a.a -s a.e; cat calls")
    #expect(one.err.contains("secret 'E' has no value") && !one.out.contains("show"), "\(one.err)")
  }

  @Test func `nothing is read by a command that sends nothing`() async throws {
    let ended = try await shell(
      """
      "$REACTOR" check && "$REACTOR" check --connect && "$REACTOR" list && "$REACTOR" explain a.b \
        && E=e-value-4711 "$REACTOR" run --dry-run && "$REACTOR" export slurm && "$REACTOR" state show
      "$REACTOR" test; "$REACTOR" fixtures verify; echo "calls: $(cat calls)"
      """)
    #expect(ended.out.hasSuffix("calls: \n"), "\(ended.out)")
    #expect(ended.out.contains("B: the command 'pass show api'"), "\(ended.out)")
    #expect(ended.out.contains("dry run: 5 flows"), "\(ended.out) \(ended.err)")
  }

  @Test func `what is given has priority: the secret file, the environment, credentials, the source`() async throws {
    let run =
      "\"$REACTOR\" run -s a.b --report ndjson=/dev/null >/dev/null 2>&1; wc -l <calls"
    #expect(try await shell(run).out == "1\n")
    #expect(try await shell("mkdir c; echo x-x-x-x-x >c/B; CREDENTIALS_DIRECTORY=c \(run)").out == "0\n")
    #expect(try await shell("B=given-given \(run)").out == "0\n")
    #expect(try await shell("B= \(run)").out == "1\n")
    #expect(
      try await shell("echo B=given-given >s; chmod 600 s; REACTOR_SECRET_FILE=s \(run)").out == "0\n")
    // Which of them is sent: the one whose value is masked, for the server's address has it.
    let address = Self.usual.replacing(
      "/x, reachability", with: "'/given-c/given-e/given-f/pass-value-4711', reachability")
    let give = [
      "mkdir c; printf given-c >c/B; export CREDENTIALS_DIRECTORY=c", "export B=given-e",
      "echo B=given-f >s; chmod 600 s; export REACTOR_SECRET_FILE=s",
    ]
    for (count, path) in [
      "given-c/given-e/given-f/***", "***/given-e/given-f/pass-value-4711", "given-c/***/given-f/pass-value-4711",
      "given-c/given-e/***/pass-value-4711",
    ].enumerated() {
      let ended = try await shell((give.prefix(count) + ["\"$REACTOR\" run -s a.b"]).joined(separator: "; "), address)
      #expect(ended.err.contains("http://127.0.0.1:9/\(path): cannot connect"), "\(ended.err)")
    }
  }

  static let failures: [(source: String, message: String)] = [
    ("{ file: nothing }", "the file 'flows/nothing' cannot be read: no such file or directory"),
    ("{ command: [pass, show, locked] }", "'pass' ended with exit code 2: gpg: *** is locked"),
    ("{ command: [pass, show, killed] }", "'pass' was ended by a signal"),
    ("{ command: [pass, show, empty] }", "the output of 'pass' is empty"),
    ("{ command: [pass, show, large] }", "the output of 'pass' is larger than 1 MiB"),
    ("{ command: [pass, show, binary] }", "the output of 'pass' is not UTF-8 text"),
    ("{ command: [no-such-program] }", "'no-such-program' cannot be started: no such file or directory"),
    ("{ command: [pass, show, slow], timeout: 200ms }", "'pass' did not end within 0.2 s and was killed"),
    ("{ sops: secrets.json, key: api.tokens }", "'flows/secrets.json' has no 'api.tokens'"),
    ("{ sops: secrets.json, key: api }", "'api' in 'flows/secrets.json' is not a text"),
    ("{ sops: a.yaml }", "the output of 'sops' for 'flows/a.yaml' is not JSON"),
    ("{ sops: nothing.yaml }", "'sops' ended with exit code 1: cat: flows/nothing.yaml"),
  ]

  @Test(arguments: failures)
  func `a source without a value ends the run before a request`(_ sample: (source: String, message: String))
    async throws
  {
    let ended = try await shell(
      """
      "$REACTOR" run; code=$?
      # What the program has started ends, too. Whoever reaps it may take a moment.
      for _ in $(seq 500); do
        [ -e child ] && grep -q '^State:.[^ZX]' "/proc/$(cat child)/status" 2>/dev/null || exit $code
        sleep 0.01
      done
      echo alive
      """,
      Self.flows([("F", sample.source)]))
    #expect(ended.code == 5 && ended.out.isEmpty, "\(ended.code) \(ended.out)")
    #expect(
      ended.err.hasPrefix("flows/a.yaml:4:3: error: secret 'F' has no value: \(sample.message)"), "\(ended.err)")
    #expect(ended.err.contains("or set the environment variable F\n") && !ended.err.contains("hush"), "\(ended.err)")
  }

  @Test func `a program that is not installed is named with a way around it`() async throws {
    let ended = try await shell("rm bin/sops; \"$REACTOR\" run -s a.c")
    #expect(ended.err.contains("help: install 'sops' or correct its name, or set the environment variable C\n"))
  }

  @Test func `the value is neither shown nor written`() async throws {
    let flows = Self.usual.replacing("/x, reach", with: "'/pass-value-4711', tags: [x], reach")
    let ended = try await shell(
      """
      "$REACTOR" run -s a.b -v --report json=r.json --report html=r.html --report ndjson=r.ndjson --report junit=r.xml
      "$REACTOR" history --format json; rm -r bin flows calls; grep -rl pass-value . && echo found
      """, flows)
    #expect(!ended.out.contains("found") && !ended.out.contains("pass-value"), "\(ended.out)")
    #expect(ended.err.contains("http://127.0.0.1:9/***") && !ended.err.contains("pass-value"), "\(ended.err)")
  }

  @Test func `a command is started without a shell, with one trailing line break less`() async throws {
    let flows = Self.flows([("F", "{ command: [pass, \"$(touch shell)\", '; touch shell'] }")])
    let ended = try await shell("\"$REACTOR\" run; cat calls; ls", flows)
    #expect(
      ended.out.contains("pass $(touch shell) ; touch shell\n") && !ended.out.contains("shell\n."), "\(ended.out)")
    #expect(!ended.out.split(separator: "\n").contains("shell"), "\(ended.out)")
    // The second line break is part of the value, which a header cannot have.
    let lines = try await shell("\"$REACTOR\" run", Self.flows([("F", "{ command: [pass, show, lines] }")]))
    #expect(lines.err.contains("contains a line break"), "\(lines.err)")
  }

  @Test func `one name with two sources is an error where both are used`() async throws {
    let other = Self.flows([("B", "{ file: other }")]).replacing("  b:", with: "  other:")
    let line = "cat >flows/b.yaml <<'END'\n\(other)END\n\"$REACTOR\" run"
    let ended = try await shell("\(line) -s a.b -s b.other")
    #expect(
      ended.code == 5 && ended.err.contains("flows/b.yaml:4:3: error: secret 'B' has two sources"), "\(ended.err)")
    #expect(try await !shell("\(line) -s a.b").err.contains("two sources"))
  }

  @Test func `engines give secrets, or let the processes read them`() async throws {
    let flows = Self.flows([
      ("A", "{ file: /run/secrets/shop/a }"), ("B", "{ command: [pass, show, api] }"), ("C", "{ file: c }"), ("E", ""),
    ]).replacing("\nhttp:", with: "\ndefaults: { schedule: '@daily' }\nhttp:")
    func export(_ engine: String) async throws -> String { try await shell("\"$REACTOR\" export \(engine)", flows).out }
    let units = try await export("systemd")
    #expect(units.contains("LoadCredential=A:/run/secrets/shop/a\nLoadCredential=E:/etc/credstore/E\n"))
    #expect(units.contains("# Secret B: the command 'pass show api'\n") && !units.contains("LoadCredential=B"))
    let manifest = try await export("kubernetes")
    #expect(manifest.contains("mountPath: /run/secrets/shop/a\n                  subPath: A\n"), "\(manifest)")
    #expect(["B", "C", "E"].allSatisfy { manifest.contains("- name: \($0)\n                  valueFrom:") })
    #expect(!manifest.contains("- name: A\n") && manifest.contains("the secret 'a-secrets' with B, C, E, A\n"))
    #expect(try await export("github").contains("# Secrets, by name: A, B, C, E\n"))
    #expect(try await export("slurm").contains("# Secrets, by name: E\n# Secret A: the file '/run/secrets/shop/a'\n"))
  }
}
