internal import ArgumentParser
internal import ByteCodings
internal import Fixtures
internal import FlowCompiler
internal import Importing
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor import`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Translate the configuration of another program into a flow file.",
    discussion: """
      Examples:
        reactor import airbyte manifest.yaml -o flows/shop.yaml
        reactor import airbyte manifest.yaml --report json
      """,
    subcommands: [ImportAirbyteCommand.self])
}

/// The command `reactor import airbyte`.
struct ImportAirbyteCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "airbyte",
    abstract: "Translate a declarative (low-code) manifest of Airbyte.",
    discussion: """
      Examples:
        reactor import airbyte manifest.yaml
        reactor import airbyte manifest.yaml -o flows/shop.yaml
        reactor import airbyte manifest.yaml -o flows/shop.yaml --report json

      Each stream becomes a flow. What has no counterpart is a comment '# not imported: …' in
      the file and a warning with its line; the file passes 'reactor check'. Warnings leave
      the exit code 0. Schemas in JSON files are read from the folder of the manifest.
      """)

  /// How the report is printed.
  enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case json }

  @Argument(help: ArgumentHelp("The manifest, in YAML or JSON.", valueName: "manifest"))
  var manifest: String
  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output-file")],
    help: ArgumentHelp("The file to write; without it the flows are printed.", valueName: "file"))
  var file: String?
  @Option(help: ArgumentHelp("Print what was imported and what was not, as JSON.", valueName: "json"))
  var report: ReportFormat?
  @Flag(help: "Replace a file that exists.")
  var force = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try invocation.importing(self) }
}

extension Invocation {
  /// Runs `reactor import airbyte`.
  func importing(_ command: ImportAirbyteCommand) throws(CommandError) -> ExitCode {
    let found: [UInt8]?
    do throws(FixtureError) { found = try FixtureFiles.read(command.manifest) } catch {
      throw CommandError(error, .configuration)
    }
    guard let bytes = found else {
      throw CommandError("the file '\(PrintableText.of(command.manifest))' does not exist", .configuration)
    }
    let folder = command.manifest.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let result: AirbyteImport.Result
    do throws(ImportError) {
      result = try AirbyteImport(
        SourceFile(path: command.manifest, bytes: bytes),
        schemaFile: { path in (try? FixtureFiles.read(folder.isEmpty ? path : "\(folder)/\(path)")) ?? nil },
        check: { FlowCompiler.problems(in: $0) }
      ).result()
    } catch {
      throw CommandError(error.message, help: error.help, .configuration)
    }
    return try write(result, command)
  }

  private func write(_ result: AirbyteImport.Result, _ command: ImportAirbyteCommand) throws(CommandError) -> ExitCode {
    if command.report == nil {
      for loss in result.report.losses {
        let flow = loss.flow.map { "\($0): " } ?? ""
        console.warn(
          "\(command.manifest):\(loss.line): \(flow)not imported: \(loss.what)", help: "it would need \(loss.needs)")
      }
    }
    if command.report == .json {
      out.write(String(decoding: PlainJSON.bytes(result.report.json), as: UTF8.self) + "\n")
    }
    guard !result.report.flows.isEmpty else {
      console.fail(
        "no stream of '\(PrintableText.of(command.manifest))' can be imported",
        help: "see the warnings, or --report json")
      return .configuration
    }
    guard let path = command.file else {
      if command.report == nil { out.write(result.text) }
      return .passed
    }
    do throws(FixtureError) {
      if !command.force, try FixtureFiles.read(path) != nil {
        console.fail("'\(path)' exists already", help: "--force replaces it")
        return .usage
      }
      try FixtureFiles.write(Array(result.text.utf8), to: path)
    } catch {
      throw CommandError(error, .notWritten)
    }
    guard !console.isQuiet, command.report == nil else { return .passed }
    let (flows, complete) = (result.report.flows.count, result.report.complete.count)
    out.write("\(PrintableText.of(path))  \(Quantity.count(flows, "flow")), \(complete) without a loss\n")
    return .passed
  }
}
