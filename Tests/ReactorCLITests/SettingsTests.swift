import FlowSpec
import Foundation
import ReactorCLI
import Synchronization
import Testing

/// Keeps what the program ordered.
final class OrderBook: Sendable {
  private let orders = Mutex<[AssemblyOrder]>([])
  var last: AssemblyOrder? { orders.withLock { $0.last } }
  func take(_ order: AssemblyOrder) { orders.withLock { $0.append(order) } }
}

@Suite(.timeLimit(.minutes(1))) struct SettingsTests {
  @Test(arguments: [
    ("REACTOR_JBOS", "REACTOR_JOBS"), ("REACTOR_FRSH", "REACTOR_FRESH"), ("REACTOR_MAXFAIL", "REACTOR_MAX_FAIL"),
    ("REACTOR_VAR_base_ur", "REACTOR_VAR_base_url"), ("REACTOR_VAR_BASEURL", "REACTOR_VAR_base_url"),
    ("REACTOR_VAR_base_url", ""), ("REACTOR_VAR_BASE_URL", ""), ("REACTOR_VAR_other", ""), ("REACTOR_HOME", ""),
    ("REACTOR_JOBS", ""), ("JBOS", ""), ("REACTOR_ALLOW_PRUNE", "REACTOR_FAIL_ON=rejected:N"),
    ("REACTOR_OFFLINE", "REACTOR_FRESH=never"), ("REACTOR_FAIL_PARTIAL", "REACTOR_FAIL_ON=partial"),
    ("REACTOR_FAIL_FAST", "REACTOR_MAX_FAIL=1"), ("REACTOR_LAST_FAILED", "REACTOR_SELECT='!result:passed'"),
  ])
  func `a misspelt environment variable is refused as its option would be`(_ name: String, _ meant: String) async throws
  {
    let bench = try Workbench([
      "flows/shop.yaml": Workbench.flows("a", more: "vars: { base_url: { type: string, default: x } }\n")
    ])
    for command in ["run", "check"] {
      let outcome = try await bench.run([command, bench.path("flows")], environment: [name: "3"])
      #expect(outcome.code == (meant.isEmpty ? 0 : 2), "\(outcome.err)")
      guard !meant.isEmpty else { continue }
      #expect(outcome.err.contains("the environment variable '\(name)' has no effect"))
      #expect(outcome.err.contains("did you mean '\(meant)'?"))
    }
  }

  @Test func `a misspelt option is refused by commands without flow files, too`() async throws {
    let bench = try Workbench([:])
    for command in [["history"], ["status", "x"], ["schema"], ["list", "."], ["explain", "x"], ["export", "cron"]] {
      let outcome = try await bench.run(command, environment: ["REACTOR_JBOS": "3"])
      #expect(outcome.code == 2 && outcome.err.contains("did you mean 'REACTOR_JOBS'?"), "\(command) \(outcome.err)")
    }
  }

  @Test(arguments: [
    ("REACTOR_SECRET_TOKEN", "TOKEN"), ("REACTOR_TOKEN", "TOKEN"), ("REACTOR_region", "REACTOR_VAR_region"),
    ("REACTOR_REGION", "REACTOR_VAR_region"), ("REACTOR_VAR_regoin", "REACTOR_VAR_region"), ("REACTOR_OTHER", ""),
  ])
  func `a name with a prefix that it does not have is refused`(_ name: String, _ meant: String) async throws {
    let bench = try Workbench([
      "flows/shop.yaml": Workbench.flows("a", more: "vars: { region: eu }\nsecrets: [TOKEN]\n")
    ])
    let outcome = try await bench.run(["check", bench.path("flows")], environment: [name: "hush-hush"])
    #expect(outcome.code == (meant.isEmpty ? 0 : 2) && !outcome.err.contains("hush-hush"), "\(outcome.err)")
    if !meant.isEmpty {
      #expect(outcome.err.contains("'\(name)' has no effect\n     = help: did you mean '\(meant)'?"), "\(outcome.err)")
    }
    // Whoever gives the secret may have such a variable for something else.
    let given = try await bench.run(
      ["check", bench.path("flows")], environment: ["REACTOR_TOKEN": "x", "TOKEN": "hush-hush"])
    #expect(given.code == 0, "\(given.err)")
  }

  @Test func `an option by its old name is refused with its present one`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    for (arguments, present) in [
      (["--allow-prune", "5%"], "write --fail-on=rejected:N"), (["--max-rejected=5%"], "write --fail-on=rejected:N"),
      (["--fail-fast"], "write --max-fail=1"), (["--exclude", "tag:slow"], "write --select='!…'"),
      (["--last-failed"], "write --select='!result:passed'"), (["--offline"], "write --fresh=never"),
      (["--no-flows", "pass"], "write --fail-on='!no-flows'"), (["--full-refresh"], "write --fresh=everything"),
      (["--color", "never"], "set NO_COLOR=1"),
      (["--timeout", "5m"], "write 'http: { timeout: 5m }' in the flow file"),
    ] {
      let outcome = try await bench.run(["run", bench.path("flows")] + arguments)
      #expect(outcome.code == 2 && outcome.err.contains("help: \(present)"), "\(outcome.err)")
    }
  }

  @Test func `an environment variable stands for each flag and the flag goes first`() async throws {
    let bench = try Workbench([
      "flows/shop.yaml": Workbench.flows("a", more: "secrets: [TOKEN]\n"), "s.env": "TOKEN=from-file\n",
    ])
    let book = OrderBook()
    let assembly = FakeAssembly(inspect: { book.take($0) })
    let environment = [
      "REACTOR_FRESH": "never", "REACTOR_ROOT": "/tmp/elsewhere", "TOKEN": "from-environment",
      "REACTOR_SECRET_FILE": bench.path("s.env"), "REACTOR_FORMAT": "json", "REACTOR_NO_TIMING": "1",
    ]
    let first = try await bench.run(["run", bench.path("flows")], environment: environment, assembly)
    #expect(first.code == 0)
    #expect(first.out.hasPrefix("{\"v\":1,") && !first.out.contains("duration_ms"))
    #expect(book.last?.demand == .never)
    #expect(book.last?.root == "/tmp/elsewhere")
    #expect(book.last?.secrets["TOKEN"]?.reveal() == "from-file")
    let second = try await bench.run(
      ["run", bench.path("flows"), "--fresh", "--root", bench.path("here"), "--format", "text"],
      environment: environment, assembly)
    #expect(second.out.hasPrefix("ok "))
    #expect(book.last?.demand == .always)
    #expect(book.last?.root == bench.path("here"))
    _ = try await bench.run(["run", bench.path("flows")], environment: ["TOKEN": "x-environment"], assembly)
    #expect(book.last?.secrets["TOKEN"]?.reveal() == "x-environment")
  }

  @Test(
    arguments: [
      (["run", "--jobs", "many"], [:], "--jobs is 'many', which is not a number from 1 to 10000"),
      (["run"], ["REACTOR_JOBS": "-1"], "REACTOR_JOBS is '-1', which is not a number from 1 to 10000"),
      (["run", "--max-per-host=0"], [:], "--max-per-host is '0', which is not a number from 1 to 10000"),
      (
        ["run", "--total-timeout", "5"], [:],
        "--total-timeout is '5', which is not a duration such as 30s, 5m, 1h, 7d or PT30S"
      ),
      (["run", "--total-timeout", "0s"], [:], "--total-timeout is '0s', which is not from 1 ms to 7 days"),
      (["run", "--format", "jsn"], [:], "--format is 'jsn', which is none of text, json"),
      (["run"], ["REACTOR_FRESH": "yes"], "REACTOR_FRESH is 'yes', which is none of usual, always"),
      (["run", "--fresh", "--fresh=never"], [:], "--fresh=always and --fresh=never cannot be used together"),
      (["run", "--since=1", "--fresh=rejected"], [:], "--since and --fresh=rejected cannot be used together"),
      (["run", "--fail-on", "partail"], [:], "did you mean 'partial'?"),
      (["run", "--fail-on", "rejected:x"], [:], "has neither a number of records nor a share"),
      (["list", "--fail-on", "partial"], [:], "are only for 'reactor run'"),
      (["run", "-q", "-v"], [:], "--quiet and --verbose cannot be used together"),
      (["run", "--var", "x"], [:], "--var 'x' is not NAME=VALUE"),
      (["run", "--var", "x=1", "--var", "x=2"], [:], "--var gives 'x' twice"),
      (["run", "--secret", "T=hunter22"], [:], "--secret is not accepted"),
      (["check", "--secret=T=hunter22"], [:], "--secret is not accepted"),
      (["run", "--secret-file", "/nonexistent/s"], [:], "secret file '/nonexistent/s' (--secret-file) cannot be read"),
      (["run", "--fersh"], [:], "Unknown option '--fersh'. Did you mean '--fresh'?"),
      (["chekc"], [:], "unknown command 'chekc'\n     = help: did you mean 'reactor check'?"),
      (["schema", "flows"], [:], "unknown schema 'flows'\n     = help: did you mean 'flow'?"),
      (["explain"], [:], "Missing expected argument '<what>'"), ([], [:], "OVERVIEW: "),
    ] as [([String], [String: String], String)])
  func `a wrong command line ends with 2 and says why`(
    arguments: [String], environment: [String: String], message: String
  ) async throws {
    let bench = try Workbench()
    let outcome = try await bench.run(arguments, environment: environment)
    #expect(outcome.code == 2)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains(message), "\(outcome.err)")
    #expect(!outcome.err.contains("hunter22"))
  }

  @Test func `a misspelt variable stops the run`() async throws {
    let bench = try Workbench([
      "flows/shop.yaml": Workbench.flows("a", more: "vars: { since: { type: date, default: 2024-01-01 } }\n")
    ])
    let outcome = try await bench.run(["run", bench.path("flows"), "--var", "sinse=2025-01-01"])
    #expect(outcome.code == 2)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("did you mean 'since'?"))
  }

  @Test func `a secret file that others can read and short secrets are warned of`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", more: "secrets: [TOKEN, PIN]\n")])
    try bench.write("TOKEN=long-enough\nPIN=z!q\n", to: "s.env", mode: 0o644)
    let arguments = ["run", bench.path("flows"), "--secret-file", bench.path("s.env")]
    let outcome = try await bench.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.err.contains("can be read or changed by others"))
    #expect(outcome.err.contains("secret 'PIN' has fewer than 4 bytes"))
    #expect(!outcome.err.contains("z!q"))
    try bench.write("TOKEN=long-enough\n", to: "s.env", mode: 0o600)
    #expect(try await bench.run(arguments).err.isEmpty)
  }

  @Test func `flags may stand before the command`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let outcome = try await bench.run(["--format", "json", "list", bench.path("flows")])
    #expect(outcome.code == 0)
    #expect(outcome.out.hasPrefix("{\"v\":1,"))
  }
}
