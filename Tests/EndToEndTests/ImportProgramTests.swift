import Foundation
import TestSupport
import Testing

/// `reactor import` is a program of its own, which `reactor` finds beside itself, else on PATH.
@Suite(.timeLimit(.minutes(2)))
struct ImportProgramTests {
  /// Prints how it was called, in place of an importer.
  private static let script = """
    #!/bin/sh
    for argument in "$@"; do printf '%s|' "$argument"; done
    printf '\\n%s\\n' "$WORD"
    cat
    echo said >&2
    exit 7

    """

  /// A workspace with `reactor` in `bin`, where no other program is.
  private static func installed() throws -> Workspace {
    let workspace = try Workspace()
    let program = URL(fileURLWithPath: try Repository.program("reactor")).resolvingSymlinksInPath()
    let bin = workspace.folder.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    let installed = bin.appendingPathComponent("reactor")
    // The file is large; a hard link is a program at this place as well as a copy is.
    do {
      try FileManager.default.linkItem(at: program, to: installed)
    } catch {
      try FileManager.default.copyItem(at: program, to: installed)
    }
    return workspace
  }

  private static func write(_ script: String, to path: String, in workspace: Workspace, mode: Int = 0o755) throws {
    try workspace.write(script, to: path)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: workspace.folder.appendingPathComponent(path).path)
  }

  private static let remedy =
    "     = help: 'scripts/build reactor-import' builds it; put it beside 'reactor' or on PATH\n"

  @Test func `without the program the command says what is missing`() async throws {
    let workspace = try Self.installed()
    let message =
      "error: 'reactor import' is the program 'reactor-import', which is neither beside 'reactor' nor on PATH\n"
    for arguments in ["import", "import --help", "import dlt config.json", "help import"] {
      let outcome = try await workspace.shell("PATH=/nowhere bin/reactor \(arguments)")
      #expect(outcome.status == 2 && outcome.stdout.isEmpty, "\(arguments): \(outcome.stdout)")
      #expect(outcome.stderr == message + Self.remedy, "\(arguments)")
    }
  }

  @Test func `without the program the other commands work, and the list of commands has it`() async throws {
    let workspace = try Self.installed()
    let list = try await workspace.shell("PATH=/nowhere bin/reactor --help")
    #expect(list.status == 0 && list.stdout.contains("\n  import "), "\(list.stdout)\(list.stderr)")
    let version = try await workspace.shell("PATH=/nowhere bin/reactor version")
    #expect(version.status == 0 && version.stderr.isEmpty)
  }

  @Test func `arguments, environment, streams and the exit code pass through`() async throws {
    let workspace = try Self.installed()
    try Self.write(Self.script, to: "bin/reactor-import", in: workspace)
    let outcome = try await workspace.shell(
      "echo typed | bin/reactor import dlt 'a b' --report json '' -- -x", environment: ["WORD": "passed on"])
    #expect(outcome.status == 7)
    #expect(outcome.stdout == "dlt|a b|--report|json||--|-x|\npassed on\ntyped\n")
    #expect(outcome.stderr == "said\n")
    // Help is the importer's own, in each form.
    #expect(try await workspace.shell("bin/reactor import --help").stdout.hasPrefix("--help|\n"))
    #expect(try await workspace.shell("bin/reactor help import dlt").stdout.hasPrefix("dlt|--help|\n"))
  }

  @Test func `the program beside it is preferred to one on PATH, also behind a link`() async throws {
    let workspace = try Self.installed()
    try Self.write("#!/bin/sh\necho on PATH\n", to: "path/reactor-import", in: workspace)
    try FileManager.default.createSymbolicLink(
      atPath: workspace.folder.appendingPathComponent("path/reactor").path, withDestinationPath: "../bin/reactor")
    let lines = ["bin/reactor import", "path/reactor import", "reactor import"]
    let path = "PATH=\"$PWD/path:/usr/bin:/bin\""
    for line in lines {
      #expect(try await workspace.shell("export \(path); \(line)").stdout == "on PATH\n", "\(line)")
    }
    try Self.write("#!/bin/sh\necho beside\n", to: "bin/reactor-import", in: workspace)
    for line in lines {
      #expect(try await workspace.shell("export \(path); \(line)").stdout == "beside\n", "\(line)")
    }
  }

  @Test func `a program that cannot be run is named`() async throws {
    let workspace = try Self.installed()
    try Self.write(Self.script, to: "bin/reactor-import", in: workspace, mode: 0o644)
    let outcome = try await workspace.shell("bin/reactor import dlt config.json")
    #expect(outcome.status == 2 && outcome.stdout.isEmpty)
    #expect(
      outcome.stderr.hasPrefix("error: '") && outcome.stderr.contains("/bin/reactor-import' cannot be run: permission")
        && outcome.stderr.hasSuffix(Self.remedy), "\(outcome.stderr)")
  }

  @Test func `the program is the process that was started, so a signal ends it`() async throws {
    let workspace = try Self.installed()
    try Self.write("#!/bin/sh\necho $$\nkill -KILL $$\nexit 3\n", to: "bin/reactor-import", in: workspace)
    let program = try Program(
      workspace.folder.appendingPathComponent("bin/reactor").path, ["import"], in: workspace.folder)
    let outcome = await program.end()
    #expect(outcome.stdout == "\(program.identifier)\n")
    #expect(outcome.status == 128 + 9)
  }

  @Test func `called by its own name the importer does and says the same`() async throws {
    let workspace = try Workspace()
    let importer = try Repository.program("reactor-import")
    for arguments in [["--help"], ["dlt", "--help"], ["dlt", "--nope"], ["dlt", "nothing.json"], ["nope"]] {
      let called = try await workspace.start(["import"] + arguments).end()
      let direct = try await Program(importer, arguments, in: workspace.folder).end()
      #expect(called.status == direct.status, "\(arguments)")
      #expect(called.stdout == direct.stdout && called.stderr == direct.stderr, "\(arguments)")
      #expect(!(called.stdout + called.stderr).contains("reactor-import"), "\(called.stdout)\(called.stderr)")
    }
    let help = try await workspace.reactor("import", "--help")
    #expect(help.status == 0 && help.stdout.contains("USAGE: reactor import <subcommand>"), "\(help.stdout)")
    #expect(try await workspace.reactor("help", "import").stdout == help.stdout)
    let dlt = try await workspace.reactor("help", "import", "dlt")
    #expect(dlt.status == 0 && dlt.stdout.contains("USAGE: reactor import dlt "), "\(dlt.stdout)")
    // The list of commands says of it what it says of itself.
    let abstract = try #require(help.stdout.split(separator: "\n").first).dropFirst("OVERVIEW: ".count)
    #expect(!abstract.isEmpty)
    #expect(try await workspace.reactor("--help").stdout.contains(abstract), "\(abstract)")
  }
}
