internal import ArgumentParser
internal import ReactorCLI

/// The root of the command line: that of `reactor`, with one command.
struct ImportRoot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reactor", version: "reactor \(ToolVersion.text)", subcommands: [ImportCommand.self])
}
