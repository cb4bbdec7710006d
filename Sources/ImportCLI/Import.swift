internal import ArgumentParser
internal import Fixtures
internal import Importing
internal import JSONSyntax
internal import ReactorCLI
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
        reactor import dlt config.json -o flows/shop.yaml
        reactor import postman shop.postman_collection.json -o flows/shop.yaml
        reactor import insomnia shop.yaml -o flows/shop.yaml --report json

      What cannot be translated is a comment '# not imported: …' in the file and a warning with
      its line; the file passes 'reactor check'. Warnings leave the exit code 0.
      """,
    subcommands: [
      ImportAirbyteCommand.self, ImportDltCommand.self, ImportPostmanCommand.self, ImportInsomniaCommand.self,
    ])
}

/// The options of all imports.
struct ImportOptions: ParsableArguments {
  /// How the report is printed.
  enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case json }

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output-file")],
    help: ArgumentHelp("The file to write; without it the flows are printed.", valueName: "file"))
  var file: String?
  @Option(help: ArgumentHelp("Print what was imported and what was not, as JSON.", valueName: "json"))
  var report: ReportFormat?
  @Flag(help: "Replace a file that exists.")
  var force = false

  /// The folder of the flow file, relative to the working folder; `flows` if there is no file, or if it may be outside
  /// of the working folder.
  var folder: String {
    guard let file, !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else { return "flows" }
    return file.split(separator: "/").dropLast().filter { $0 != "." }.joined(separator: "/")
  }
}

extension Invocation {
  /// Returns a file that is imported.
  func source(_ path: String) throws(CommandError) -> SourceFile {
    let found: [UInt8]?
    do throws(FixtureError) { found = try FixtureFiles.read(named: path) } catch {
      throw CommandError(error, .configuration)
    }
    guard let bytes = found else {
      throw CommandError("the file '\(PrintableText.of(path))' does not exist", .configuration)
    }
    return SourceFile(path: path, bytes: bytes)
  }

  /// Runs an import, prints its report and writes its file.
  func importing(
    _ path: String, _ options: ImportOptions, _ translate: () throws(ImportError) -> ImportResult
  ) throws(CommandError) -> ExitCode {
    let result: ImportResult
    do throws(ImportError) { result = try translate() } catch {
      throw CommandError(error.message, help: error.help, .configuration)
    }
    report(result.report, of: path, options)
    guard !result.report.flows.isEmpty else {
      console.fail(
        "no \(result.report.noun.rawValue) of '\(PrintableText.of(path))' can be imported",
        help: "see the warnings, or --report json")
      return .configuration
    }
    guard let file = options.file else {
      if options.report == nil { out.write(result.text) }
      return .passed
    }
    do throws(FixtureError) {
      if !options.force, try FixtureFiles.read(file) != nil {
        console.fail("'\(file)' exists already", help: "--force replaces it")
        return .usage
      }
      try FixtureFiles.write(Array(result.text.utf8), to: file)
    } catch {
      throw CommandError(error, .notWritten)
    }
    guard !console.isQuiet, options.report == nil else { return .passed }
    let (flows, complete) = (result.report.flows.count, result.report.complete.count)
    out.write("\(PrintableText.of(file))  \(Quantity.count(flows, "flow")), \(complete) without a loss\n")
    return .passed
  }

  private func report(_ report: ImportReport, of path: String, _ options: ImportOptions) {
    guard options.report == nil else {
      out.write(String(decoding: PlainJSON.bytes(report.json), as: UTF8.self) + "\n")
      return
    }
    for loss in report.losses {
      let flow = loss.flow.map { "\($0): " } ?? ""
      console.warn("\(path):\(loss.line): \(flow)not imported: \(loss.what)", help: "it would need \(loss.needs)")
    }
    guard report.noun != .stream, !report.secrets.isEmpty else { return }
    console.warn(
      "the file names secrets whose values are not in it: \(report.secrets.joined(separator: ", "))",
      help: "set them in the environment or in a file for --secret-file")
  }
}
