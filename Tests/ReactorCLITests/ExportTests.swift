import Foundation
import SourceDiagnostics
import Testing
import YAMLSyntax

/// `reactor export`: what it prints for each engine.
@Suite(.timeLimit(.minutes(2))) struct ExportTests {
  static let shop = """
    reactor: 1
    vars: { since: { type: date }, region: eu }
    secrets: [SHOP_TOKEN]
    http: { base_url: https://api.example.com, auth: { bearer: "{{ secrets.SHOP_TOKEN }}" } }
    defaults: { schedule: { cron: "30 2 * * MON-FRI", zone: Europe/Berlin, jitter: 5m } }
    flows:
      customers: { resource: /customers, tags: [daily], deadline: 1h, persistence: { path: out/c.jsonl, expires_after: 12h } }
      orders:
        resource: { path: "/customers/{{ customer.id }}/orders", query: { since: "{{ vars.since }}" } }
        each: { flow: customers, as: customer }
        tags: [daily, money]
        deadline: 30m
        persistence: out/o.jsonl
      products: { resource: /products, tags: [slow], deadline: 10m, persistence: out/p.jsonl, schedule: { every: 6h } }

    """

  /// Calls the program in a folder with flow files.
  private func export(
    _ arguments: String, _ files: [String: String] = ["flows/shop.yaml": Self.shop]
  ) async throws -> ProcessTests.Ended {
    try await ProcessTests().shell("\"$REACTOR\" export \(arguments)", in: try Workbench(files))
  }

  static let snapshots: [(name: String, arguments: String)] = [
    ("shop.slurm", "slurm -s tag:daily --tasks 4 --folder /srv/pulls"),
    ("shop-shared.slurm", "slurm -s products --tasks 4 --shared"),
    ("shop-job.yaml", "kubernetes -s products --tasks 2 --image registry.example.com/reactor:1"),
    ("shop-cronjob.yaml", "kubernetes flows -s tag:daily --tasks 3 --image registry.example.com/reactor:1"),
    ("shop-shared.yaml", "kubernetes -s tag:daily --tasks 3 --shared --image registry.example.com/reactor:1"),
    ("shop-parts.py", "airflow -s tag:daily --tasks 2"),
    ("shop-flows.py", "airflow -s tag:daily --by flow --folder /srv/pulls"),
    ("shop-shared.py", "airflow -s products --tasks 2 --shared"),
    ("shop-github.yml", "github -s products --tasks 4 --image registry.example.com/reactor:1"),
    ("shop-github-shared.yml", "github -s products --tasks 4 --shared --image registry.example.com/reactor:1"),
    ("shop.gitlab-ci.yml", "gitlab -s tag:daily --tasks 4 --image registry.example.com/reactor:1"),
    ("shop.units", "systemd -s tag:daily"),
    ("shop-owned.units", "systemd -s products --user pulls --root /srv/results"),
    ("shop.cron", "cron -s tag:daily --var since=2024-01-01"),
    (
      "shop-owned.cron",
      "cron -s products --var since=2024-01-01 --user pulls --folder '/srv/my pulls' --root /srv/out"
    ),
  ]

  @Test(arguments: snapshots) func `the text of each engine is stable`(_ sample: (name: String, arguments: String))
    async throws
  {
    let ended = try await export(sample.arguments)
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)")
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens/export/\(sample.name)")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(ended.out.utf8).write(to: golden)
      Issue.record("recorded \(sample.name); run again without RECORD_SNAPSHOTS")
      return
    }
    #expect(try ended.out == String(contentsOf: golden, encoding: .utf8), "\(sample.name)")
  }

  @Test func `the command in the first line prints the same text again`() async throws {
    let line = "slurm flows -s 'tag:daily !tag:none' --var region=us --tasks 4 --name it --root '/a b'"
    let first = try await export(line).out
    let command = try #require(first.split(separator: "\n").first { $0.hasPrefix("# Printed by: reactor export ") })
    #expect(try await export(String(command.dropFirst("# Printed by: reactor export ".count))).out == first)
    #expect(first.contains("Printed by: reactor export \(line)\n"))
  }

  @Test(arguments: ["slurm", "kubernetes", "airflow", "github", "gitlab", "systemd"])
  func `neither secrets nor the environment are in the text`(_ engine: String) async throws {
    let bench = try Workbench(["flows/shop.yaml": Self.shop])
    let plain = try await ProcessTests().shell("\"$REACTOR\" export \(engine) -s products", in: bench)
    let full = try await ProcessTests().shell(
      "export SHOP_TOKEN=hush-hush REACTOR_STATE=hush-hush REACTOR_VAR_region=hush-hush LANG=tr_TR.UTF-8 TZ=Asia/Tokyo; "
        + "\"$REACTOR\" export \(engine) -s products", in: bench)
    #expect(full.code == 0 && full.out == plain.out && !full.out.contains("hush-hush"), "\(full.err)")
    #expect(plain.out.contains("SHOP_TOKEN") && plain.out.contains("REACTOR_VAR_since"))
  }

  @Test func `a file is written whole, and nothing is printed`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Self.shop])
    let ended = try await ProcessTests().shell(
      "\"$REACTOR\" export slurm -s products -o jobs/shop.slurm && cat jobs/shop.slurm", in: bench)
    #expect(ended.code == 0 && ended.out.hasPrefix("#!/bin/bash\n"), "\(ended.err)")
    let lost = try await ProcessTests().shell("\"$REACTOR\" export slurm -s products -o flows", in: bench)
    #expect(lost.code == 74 && lost.err.contains("'flows' could not be written: the path is a folder"))
  }

  static let refusals: [(arguments: String, code: Int32, message: String)] = [
    ("slrum", 2, "'slrum' is not an engine to which flows can be exported\n     = help: did you mean 'slurm'?"),
    (
      "slurm", 3,
      "one job has one schedule, but 'shop.customers' has 'cron 30 2 * * 1-5 (Europe/Berlin), jitter 5m', and "
        + "'shop.products' has 'every 6h'"
    ),
    ("github -s tag:daily", 3, "flows/shop.yaml:5:23: error: GitHub starts workflows by UTC only"),
    ("slurm --shard 1/2", 2, "--shard cannot be used with 'export'"),
    ("slurm -s result:failed", 2, "'result:' cannot be exported"),
    ("slurm -s products --by flow", 2, "--by flow is only for airflow"),
    ("airflow -s products --by part", 2, "--by is 'part', which is neither shard nor flow"),
    ("airflow -s products --by flow --tasks 2", 2, "--by flow makes a task for each flow"),
    ("slurm -s products --tasks 0", 2, "--tasks is '0', which is not a number from 1 to 10000"),
    ("github -s products --tasks 257", 2, "GitHub allows at most 256 tasks, not 257"),
    ("gitlab -s products --tasks 201", 2, "GitLab allows at most 200 tasks, not 201"),
    ("slurm -s products --name 'A b'", 2, "--name 'A b' is not a name that each engine allows"),
    ("kubernetes -s products --root out", 2, "--root 'out' is not an absolute path"),
    ("kubernetes \"$PWD/flows\" -s products", 2, "cannot be in a ConfigMap"),
    ("github -s products --folder /srv", 2, "--folder is only for slurm, airflow, systemd and cron"),
    ("github -s products --user me", 2, "--user is only for systemd and cron"),
    ("systemd -s products --user 'a b'", 2, "--user 'a b' is not the name of a user"),
    ("systemd -s products --tasks 2", 2, "systemd starts one process, so --tasks, --by and --shared have no effect"),
    ("cron -s products --shared", 2, "cron starts one process, so --tasks, --by and --shared have no effect"),
    ("systemd -s products --folder pulls", 2, "--folder 'pulls' is not an absolute path"),
    ("systemd -s products --folder /home/me/pulls", 2, "--folder '/home/me/pulls' is hidden from the service"),
    ("systemd -s products --root /srv/out", 2, "--root needs a user who owns the folder"),
    ("cron -s products", 2, "cron has no place for a value of 'REACTOR_VAR_since'\n     = help: add --var since=VALUE"),
    ("cron -s products --var since=2024-01-01 --root /srv/$(printf %900s | tr ' ' a)", 2, "cron takes at most 998"),
    ("cron -s products --var since=2024-01-01 --folder '/a\\b'", 2, "cron cannot pass '/a\\b' to a command"),
    ("slurm -s nothing", 4, "no flow is selected"),
    ("slurm --var nothing=1", 2, "nothing"),
  ]

  @Test(arguments: refusals)
  func `what an engine cannot do is said`(_ sample: (arguments: String, code: Int32, message: String)) async throws {
    let ended = try await export(sample.arguments)
    #expect(ended.code == sample.code && ended.out.isEmpty, "\(ended.code) \(ended.out)")
    #expect(ended.err.contains(sample.message), "\(ended.err)")
  }

  @Test(arguments: ["kubernetes", "github", "gitlab", "slurm", "cron"])
  func `a period that cron does not have is refused with its line`(_ engine: String) async throws {
    let file =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n  a:\n    resource: /a\n    schedule: { every: 90m }\n"
    let ended = try await export(engine, ["flows/a.yaml": file])
    #expect(ended.code == 3, "\(ended.out)")
    #expect(ended.err.contains("flows/a.yaml:6:15: error: 'every 90m' cannot be written as cron"), "\(ended.err)")
    #expect(try await export("airflow", ["flows/a.yaml": file]).out.contains("    schedule=timedelta(seconds=5400),\n"))
  }

  @Test func `an unknown time zone is an error of check and export, and not of a run`() async throws {
    let file =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n  a: { resource: /a, schedule: { cron: '0 0 * * *', zone: Europe/Berlim } }\n"
    let bench = try Workbench(["flows/a.yaml": file])
    for command in ["check", "export slurm"] {
      let ended = try await ProcessTests().shell("\"$REACTOR\" \(command)", in: bench)
      #expect(
        ended.code == 3 && ended.err.contains("flows/a.yaml:4:59: error: there is no time zone 'Europe/Berlim'"),
        "\(ended.err)")
    }
    #expect(try await ProcessTests().shell("\"$REACTOR\" run --dry-run", in: bench).code == 0)
  }

  // MARK: - Hostile texts

  /// Texts that mean something to a shell, to YAML, to Python, to templates of Airflow and GitHub or to Kubernetes.
  static let hostile = [
    "a b", "it's", "\"q\"", "$HOME", "`id`", "$(id)", "$$", "\\", "{{ run_id }}", "{% raw %}", "{# c #}", "{{{",
    "${{ github.token }}",
    "#c", "a: b", "- a", "~", "é", "\u{202E}x", "*", "true", "!x", "%", "a\nb", "\t", "x.sh",
  ]

  /// The words that a shell makes of a script in which `exec` and `reactor` print their arguments.
  private func words(of script: String, environment: String = "") async throws -> [String] {
    let bench = try Workbench(["script.sh": script])
    let stub = "sleep() { :; }; exec() { \"$@\"; }; reactor() { printf '%s\\0' \"$@\"; }; "
    let ended = try await ProcessTests().shell("\(environment) \(stub) . ./script.sh", in: bench)
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)")
    return ended.out.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private static let file =
    "reactor: 1\nvars: { v: a }\nhttp: { base_url: https://a.example }\nflows: { a: { resource: /a } }\n"

  /// Exports with a value of a variable that is hostile.
  private func exported(_ engine: String, _ value: String, _ more: String = "") async throws -> String {
    let bench = try Workbench(["flows/a.yaml": Self.file, "value": "v=" + value])
    let ended = try await ProcessTests().shell(
      "IFS= read -r -d '' V <value; \"$REACTOR\" export \(engine) --tasks 2 --var \"$V\" \(more)", in: bench)
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)")
    return ended.out
  }

  @Test(arguments: hostile) func `a shell reads each text as it is`(_ value: String) async throws {
    let script = try await exported("slurm", value)
    let found = try await words(
      of: script, environment: "export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=1;")
    #expect(
      found == [
        "run", "--var", "v=\(value)", "--shard", "auto", "--fail-on", "!no-flows", "--report", "json=a-7-1.json",
      ])
    let shellcheck = "/usr/bin/shellcheck"
    guard FileManager.default.isExecutableFile(atPath: shellcheck) else { return }
    let ended = try await ProcessTests().shell("\(shellcheck) script.sh", in: try Workbench(["script.sh": script]))
    #expect(ended.code == 0, "\(ended.out)")
  }

  /// The text at a path of keys and indices.
  private func yaml(_ text: String, _ path: [String]) throws -> YAMLNode {
    var diagnostics = DiagnosticBag()
    let file = SourceFile(path: "out.yaml", bytes: Array(text.utf8))
    var node = try #require(
      YAMLDocument.parse(file, limits: YAMLLimits(), diagnostics: &diagnostics), "\(diagnostics.diagnostics)\n\(text)")
    #expect(diagnostics.diagnostics.isEmpty)
    for step in path {
      switch node.content {
      case .mapping(let mapping): node = try #require(mapping.entries.first { $0.name == step }?.value, "\(step)")
      case .sequence(let nodes): node = nodes[try #require(Int(step))]
      case .scalar: throw CancellationError()
      }
    }
    return node
  }

  private func scalar(_ node: YAMLNode) -> String? {
    if case .scalar(let scalar) = node.content { scalar.text } else { nil }
  }

  @Test(arguments: hostile) func `GitLab runs each text as it is`(_ value: String) async throws {
    let text = try await exported("gitlab", value)
    let script = try #require(scalar(yaml(text, ["a", "script", "0"])))
    #expect(try await words(of: script, environment: "CI_NODE_INDEX=1;").prefix(3) == ["run", "--var", "v=\(value)"])
  }

  @Test(arguments: hostile) func `GitHub runs each text as it is`(_ value: String) async throws {
    let text = try await exported("github", value)
    let script = try #require(scalar(yaml(text, ["jobs", "run", "steps", "1", "run"])))
    // What GitHub does before it starts the shell.
    let filled = script.replacing("${{ matrix.part }}", with: "1").replacing("${{ '${{' }}", with: "${{")
    #expect(try await words(of: filled).prefix(3) == ["run", "--var", "v=\(value)"])
    // Nothing else is left for GitHub to fill in.
    let rest = script.replacing("${{ matrix.part }}", with: "").replacing("${{ '${{' }}", with: "")
    #expect(!rest.contains("${{"))
  }

  @Test(arguments: hostile) func `Kubernetes starts each text as it is`(_ value: String) async throws {
    let text = try await exported("kubernetes", value)
    let container = ["spec", "template", "spec", "containers", "0"]
    guard case .sequence(let nodes) = try yaml(text, container + ["command"]).content else { throw CancellationError() }
    let words = nodes.compactMap(scalar).map { $0.replacing("$$", with: "$") }
    #expect(words.prefix(4) == ["reactor", "run", "--var", "v=\(value)"])
  }

  @Test func `each file has a key of its own in the config map, and its path in the container`() async throws {
    let ended = try await export(
      "kubernetes",
      [
        "flows/a b.yaml": Self.file, "flows/a-b.yaml": Self.file,
        "flows/schemas/s.yaml": "reactor: 1\nschemas: { s: { fields: { id: integer } } }\n",
      ])
    #expect(ended.code == 0, "\(ended.err)")
    let items = try yaml(ended.out, ["spec", "template", "spec", "volumes", "0", "configMap", "items"])
    guard case .sequence(let nodes) = items.content else { throw CancellationError() }
    let found = try (0..<nodes.count).map { index in
      try ["key", "path"].map { key in
        try scalar(
          yaml(ended.out, ["spec", "template", "spec", "volumes", "0", "configMap", "items", "\(index)", key])) ?? ""
      }
    }
    #expect(
      found == [
        ["flows-a-b.yaml", "flows/a b.yaml"], ["flows-a-b.yaml-2", "flows/a-b.yaml"],
        ["flows-schemas-s.yaml", "flows/schemas/s.yaml"],
      ])
    #expect(ended.out.contains("#     --from-file='flows-a-b.yaml=flows/a b.yaml' \\\n"), "\(ended.out)")
  }

  @Test(arguments: hostile) func `Python reads each text as it is`(_ value: String) async throws {
    let text = try await exported("airflow", value)
    let program = """
      import ast, re, sys
      import pathlib
      tree = ast.parse(pathlib.Path("dag.py").read_text(encoding="utf-8"))
      compile(tree, "dag.py", "exec")
      found = [w.value.value for n in ast.walk(tree) if isinstance(n, ast.Call) for w in n.keywords if w.arg == "bash_command"]
      filled = re.sub(r"\\{\\{ '\\{.' \\}\\}", "\\0", found[0])
      assert not re.search(r"\\{[{%#]", filled), "Airflow would fill in a part of this text"
      sys.stdout.write(re.sub(r"\\{\\{ '(\\{.)' \\}\\}", r"\\1", found[0]))
      """
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    let ended = try await ProcessTests().shell(
      "/usr/bin/python3 -W error read.py", in: try Workbench(["dag.py": text, "read.py": program]))
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)\n\(text)")
    #expect(try await words(of: ended.out).prefix(3) == ["run", "--var", "v=\(value)"])
  }

  @Test func `files and selections with hostile names stay what they are`() async throws {
    let bench = try Workbench(["flows/my $shop's.yaml": Self.file])
    let ended = try await ProcessTests().shell(
      "\"$REACTOR\" export slurm \"flows/my \\$shop's.yaml\" -s 'a !b'", in: bench)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(ended.out.contains("#SBATCH --job-name=my-shop-s\n"))
    let found = try await words(of: ended.out, environment: "export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=1;")
    #expect(found.prefix(4) == ["run", "flows/my $shop's.yaml", "-s", "a !b"])
    let dag = try await ProcessTests().shell(
      "\"$REACTOR\" export airflow \"flows/my \\$shop's.yaml\" --by flow", in: bench)
    #expect(dag.out.contains("tasks") && dag.out.contains("\"my__shop_s.a\": BashOperator("), "\(dag.out)")
    #expect(dag.out.contains("-s 'my??shop?s.a'\\n"), "\(dag.out)")
  }
}
